/** Formats a time as `31 January 2026 at 09:30 UTC`. */
export function formatTime(time: Date, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return `${format.format(time)} UTC`
}

/** Formats the day of a time in UTC as `31 January 2026`. */
export const formatDate = (time: Date, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)

/** Formats `2026-01` as `January 2026`. */
export function formatMonth(period: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return format.format(new Date(`${period}-01T00:00:00Z`))
}
