import type { EnvReader } from '@figbase/kit/config'

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
})
export type Config = ReturnType<typeof readConfig>
