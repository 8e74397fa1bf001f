import { destination, type Logger, pino } from 'pino'

export type { Logger }

/** One JSON line an entry, to standard error: standard output is for people. */
export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      base: { name },
      redact: {
        paths: ['*.password', '*.token', '*.authorization'],
        censor: '***',
      },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination({ fd: 2, sync: false }),
  )
}
