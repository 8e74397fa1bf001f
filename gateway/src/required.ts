/** Returns a field that every response of a service has; throws if it is missing. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing field in the response of a service')
  return value
}
