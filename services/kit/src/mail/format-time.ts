/** Formats a time as `31 January 2026 at 09:30 UTC`. */
export function formatTime(time: Date, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return `${format.format(time)} UTC`
}
