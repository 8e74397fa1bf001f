const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A time as readers of any time zone understand it: `31 January 2026 at 09:30 UTC`. */
export const toMoment = (time: Date): string => `${format.format(time)} UTC`
