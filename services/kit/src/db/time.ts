import { create } from '@bufbuild/protobuf'
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt'

const pattern = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00$/

/** Converts PostgreSQL's `timestamptz` text (UTC) to a message; keeps the microseconds. */
export function toTimestamp(text: string): Timestamp {
  const match = pattern.exec(text)
  if (!match) throw new Error(`not a UTC timestamp: ${text}`)
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  const seconds =
    Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    ) / 1000
  return create(TimestampSchema, {
    seconds: BigInt(seconds),
    nanos: Number(fraction.padEnd(6, '0')) * 1000,
  })
}

/** Whether PostgreSQL can have written this text. */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string' || !pattern.test(value) || value.startsWith('0000')) return false
  const [seconds = ''] = value.replace(' ', 'T').split(/[.+]/)
  const time = Date.parse(`${seconds}Z`)
  // `Date.parse` rolls invalid days over to the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(seconds)
}

export function toTimestampOrNone(text: string | null): Timestamp | undefined {
  return text === null ? undefined : toTimestamp(text)
}

/** The end of the year 9999, in seconds since 1970. */
const secondsMax = 253_402_300_799n

/** Whether a caller has sent a time from 1970 to 9999, which `toIso` can convert. */
export const isValidTime = ({ seconds, nanos }: { seconds: bigint; nanos: number }): boolean =>
  seconds >= 0n && seconds <= secondsMax && nanos >= 0 && nanos <= 999_999_999

/** Converts a message to ISO 8601 with six fractional digits, for the API and PostgreSQL. */
export function toIso({ seconds, nanos }: { seconds: bigint; nanos: number }): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`
}
