import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toIso } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'

/** The end of the year 9999. */
const secondsMax = 253_402_300_799n

export const expiryInPast = () => invalid('expiry', 'must be a time in the future')

/** The expiry as ISO 8601; null when unset. PostgreSQL checks that it is in the future. */
export function checkedExpiry(time: Timestamp | undefined): string | null {
  if (!time) return null
  const { seconds, nanos } = time
  if (seconds < 0n || seconds > secondsMax || nanos < 0 || nanos > 999_999_999) throw expiryInPast()
  return toIso(time)
}
