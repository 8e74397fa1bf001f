const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Formats a time as `31 January 2026 at 09:30 UTC`. */
export const formatTime = (time: Date): string => `${format.format(time)} UTC`
