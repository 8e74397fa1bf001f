import type { EnvReader } from '@figbase/kit'

export const readConfig = (env: EnvReader) => ({
  retentionMs: env.duration('TASK_RETENTION', '30d', 'how long finished tasks are kept'),
  textCharsMax: env.int(
    'TASK_TEXT_CHARS_MAX',
    2000,
    'characters kept of the name, a message or the error of a task',
  ),
  jsonBytesMax: env.bytes('TASK_JSON_BYTES_MAX', '64KiB', 'size of the detail or result of a task'),
  logLineCharsMax: env.int('TASK_LOG_LINE_CHARS_MAX', 2000, 'characters kept of a line of a log'),
  logLinesMax: env.int('TASK_LOG_LINES_MAX', 1000, 'lines kept of the log of a task, the newest'),
  logBytesMax: env.bytes('TASK_LOG_BYTES_MAX', '256KiB', 'what these lines hold together at most'),
  liveRetentionMs: env.duration(
    'LIVE_EVENT_RETENTION',
    '24h',
    'how far back `events/` can be resumed',
  ),
  streamsPerUserMax: env.int(
    'EVENT_STREAMS_PER_USER_MAX',
    10,
    'streams of `events/` that a user can have open, in each process of tasks',
  ),
  streamsMax: Math.min(
    env.int(
      'EVENT_STREAMS_MAX',
      10_000,
      'streams of `events/` in each process of tasks; more than 20000 count as 20000',
    ),
    // Of so many users catalog tells at once who may view something.
    20_000,
  ),
})
export type Config = ReturnType<typeof readConfig>
