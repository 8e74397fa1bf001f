import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { isValidTime, toIso } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'

export const expiryInPast = () => invalid('expiry', 'must be a time in the future')

/** The expiry as ISO 8601; null when unset. PostgreSQL checks that it is in the future. */
export function checkedExpiry(time: Timestamp | undefined): string | null {
  if (!time) return null
  if (!isValidTime(time)) throw expiryInPast()
  return toIso(time)
}
