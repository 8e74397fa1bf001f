/** What a service promised to answer: its absence is a fault of ours. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a service answered without what was asked for')
  return value
}
