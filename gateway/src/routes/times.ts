import { create } from '@bufbuild/protobuf'
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { z } from 'zod'

// A `+` that was not encoded arrives as a space.
const pattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+\- ]\d\d:?\d\d)?)?$/i

/** A time in a query: ISO 8601, `T` or a space between date and time, UTC unless it says otherwise. */
export const timeQuery = z
  .string()
  .transform((text, ctx): Timestamp | undefined => {
    if (text === '') return undefined
    const time = timeOf(text)
    if (!time) ctx.addIssue('must be a time as in 2026-01-31T12:00:00Z')
    return time
  })
  .optional()

/** A time in a body: the same, or null. */
export const timeMember = z
  .string('must be a time as in 2026-01-31T12:00:00Z, or null')
  .nullish()
  .transform((text, ctx): Timestamp | undefined => {
    if (text === null || text === undefined) return undefined
    const time = timeOf(text)
    if (!time) ctx.addIssue('must be a time as in 2026-01-31T12:00:00Z')
    return time
  })

export function timeOf(text: string): Timestamp | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, date = '', time = '00:00', fraction = '', zone = 'Z'] = match
  const offset = zone
    .replace(' ', '+')
    .replace(/(\d\d)(\d\d)$/, '$1:$2')
    .toUpperCase()
  const ms = Date.parse(`${date}T${time}${offset}`)
  if (Number.isNaN(ms) || !isDay(date)) return undefined
  const nanos = Number(fraction.padEnd(9, '0').slice(0, 6)) * 1000
  return create(TimestampSchema, { seconds: BigInt(Math.floor(ms / 1000)), nanos })
}

/** `Date.parse` takes 31 February for 3 March. */
const isDay = (date: string) => {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
