export type ColumnType = 'number' | 'date' | 'boolean' | 'text'

/** Beside numbers, what R and pandas write for a missing one. */
const number = /^([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf|nan|na)$/i
const date = /^\d{4}-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/
const boolean = /^(true|false)$/i

/** The type that all values of a column have; empty ones do not count. */
export function columnType(values: string[]): ColumnType {
  const known = values.filter((value) => value !== '')
  if (known.length === 0) return 'text'
  const all = (pattern: RegExp) => known.every((value) => pattern.test(value))
  if (all(number)) return 'number'
  if (all(date)) return 'date'
  return all(boolean) ? 'boolean' : 'text'
}
