import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { invalid, toIso } from '@figbase/kit'

/** The end of the year 9999. */
const secondsMax = 253_402_300_799n

export const inThePast = () => invalid('expiry', 'must be a time in the future')

/** When something is to expire, for PostgreSQL, which decides whether that is in the future; null: unset. */
export function checkedExpiry(time: Timestamp | undefined): string | null {
  if (!time) return null
  const { seconds, nanos } = time
  if (seconds < 0n || seconds > secondsMax || nanos < 0 || nanos > 999_999_999) throw inThePast()
  return toIso(time)
}
