import { Cron } from 'croner'

/** The first time after `after` that matches a cron expression in a time zone. */
export function nextRun(cron: string, timeZone: string, after: Date): Date {
  const next = new Cron(cron, { timezone: timeZone }).nextRun(after)
  if (!next) throw new Error(`${cron} never matches`)
  return next
}
