import type { EnvReader } from '@figbase/kit/config'
import { readOutboundHosts } from '@figbase/kit/net'

export const readConfig = (env: EnvReader) => ({
  retentionMs: env.duration('TASK_RETENTION', '30d', 'retention of finished tasks'),
  textCharsMax: env.int(
    'TASK_TEXT_CHARS_MAX',
    2000,
    'maximum characters stored of the name, message or error of a task',
  ),
  jsonBytesMax: env.bytes(
    'TASK_JSON_BYTES_MAX',
    '64KiB',
    'maximum size of the detail or result of a task',
  ),
  logLineCharsMax: env.int(
    'TASK_LOG_LINE_CHARS_MAX',
    2000,
    'maximum characters stored of a log line',
  ),
  logLinesMax: env.int(
    'TASK_LOG_LINES_MAX',
    1000,
    'maximum number of log lines stored of a task (the newest)',
  ),
  logBytesMax: env.bytes(
    'TASK_LOG_BYTES_MAX',
    '256KiB',
    'maximum total size of the log lines stored of a task',
  ),
  liveRetentionMs: env.duration(
    'LIVE_EVENT_RETENTION',
    '24h',
    'how far back `events/` can be resumed',
  ),
  streamsPerUserMax: env.int(
    'EVENT_STREAMS_PER_USER_MAX',
    10,
    'maximum number of open `events/` streams per user in each process of tasks',
  ),
  streamsMax: Math.min(
    env.int(
      'EVENT_STREAMS_MAX',
      10_000,
      'maximum number of open `events/` streams in each process of tasks; at most 20000',
    ),
    // The maximum number of users in one call of ListViewers.
    20_000,
  ),
  baseUrl: readAddress(env),
  ...readNotifications(env),
  ...readWebhooks(env),
})

const readNotifications = (env: EnvReader) => ({
  mailsPerHourMax: env.positiveInt(
    'NOTIFICATION_MAILS_PER_HOUR_MAX',
    30,
    'maximum number of notifications that are mailed to a person at once in an hour; others wait for their digest',
  ),
  digestItemsMax: env.positiveInt(
    'NOTIFICATION_DIGEST_OBJECTS_MAX',
    50,
    'maximum number of objects that a digest lists',
  ),
  digestWorkspacesMax: env.positiveInt(
    'NOTIFICATION_DIGEST_WORKSPACES_MAX',
    20,
    'maximum number of workspaces whose activity a person has in their digest',
  ),
  digestOrganizationsMax: env.positiveInt(
    'NOTIFICATION_DIGEST_ORGANIZATIONS_MAX',
    20,
    'maximum number of organizations whose activity a person has in their digest',
  ),
  notificationRetentionMs: env.duration(
    'NOTIFICATION_RETENTION',
    '30d',
    'retention of notifications; at least the time between two digests',
  ),
})

const readWebhooks = (env: EnvReader) => ({
  webhooksMax: env.positiveInt(
    'WEBHOOKS_MAX',
    20,
    'maximum number of webhooks of a workspace or an organization',
  ),
  webhookConcurrency: env.positiveInt(
    'WEBHOOK_CONCURRENCY',
    200,
    'maximum number of deliveries that a process sends at once',
  ),
  webhookConcurrencyPerReceiver: env.positiveInt(
    'WEBHOOK_CONCURRENCY_PER_WEBHOOK',
    4,
    'maximum number of deliveries of one webhook that a process sends at once',
  ),
  webhookTimeoutMs: env.duration('WEBHOOK_TIMEOUT', '15s', 'time-out of a delivery'),
  webhookResponseBytesMax: env.bytes(
    'WEBHOOK_RESPONSE_BYTES_MAX',
    '4KiB',
    'size up to which the response to a delivery is read and stored',
  ),
  webhookRetryDelayMinMs: env.duration(
    'WEBHOOK_RETRY_DELAY_MIN',
    '5s',
    'delay before a delivery is sent again; doubled after each failure',
  ),
  webhookRetryDelayMaxMs: env.duration(
    'WEBHOOK_RETRY_DELAY_MAX',
    '6h',
    'maximum delay before a delivery is sent again',
  ),
  webhookRetryPeriodMs: env.duration(
    'WEBHOOK_RETRY_PERIOD',
    '3d',
    'how long a delivery is sent again; a webhook that fails for this time is deactivated',
  ),
  webhookLogRetentionMs: env.duration(
    'WEBHOOK_LOG_RETENTION',
    '14d',
    'retention of the deliveries of webhooks',
  ),
  webhookSecretOverlapMs: env.duration(
    'WEBHOOK_SECRET_OVERLAP',
    '24h',
    'how long deliveries are signed with the previous secret, too',
  ),
  hostsAllowed: readOutboundHosts(env),
})

const readAddress = (env: EnvReader) => {
  const publicUrl = env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy')
  const port = env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one')
  return publicUrl || `http://localhost:${port}`
}

export type Config = ReturnType<typeof readConfig>
