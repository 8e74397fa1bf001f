import { create } from '@bufbuild/protobuf'
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { z } from 'zod'

// Accepts a space as sign of the offset: an unencoded `+` in a query is decoded as a space.
const pattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+\- ]\d\d:?\d\d)?)?$/i

/** A time in a query: ISO 8601, with `T` or a space between date and time; the default time zone is UTC. */
export const timeQuery = z
  .string()
  .transform((text, ctx): Timestamp | undefined => {
    if (text === '') return undefined
    const time = parseTime(text)
    if (!time) ctx.addIssue('must be a time such as 2026-01-31T12:00:00Z')
    return time
  })
  .optional()
  .meta({ format: 'date-time' })

/** A time in a body: like `timeQuery`, or null. */
export const timeMember = z
  .string('must be a time such as 2026-01-31T12:00:00Z, or null')
  .nullish()
  .transform((text, ctx): Timestamp | undefined => {
    if (text === null || text === undefined) return undefined
    const time = parseTime(text)
    if (!time) ctx.addIssue('must be a time such as 2026-01-31T12:00:00Z')
    return time
  })
  .meta({ format: 'date-time' })

export function parseTime(text: string): Timestamp | undefined {
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

/** `Date.parse` accepts 31 February as 3 March. */
const isDay = (date: string) => {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
