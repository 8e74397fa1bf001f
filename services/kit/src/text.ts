import { invalid } from './errors.js'

/** Text of a caller: bounded, without U+0000 (PostgreSQL refuses it) and without lone surrogates. */
export function checkedText(
  field: string,
  value: string,
  { charsMin = 0, charsMax }: { charsMin?: number; charsMax: number },
): string {
  if (value.length < charsMin) {
    throw invalid(field, charsMin === 1 ? 'must not be empty' : `needs ${charsMin} characters`)
  }
  if (value.length > charsMax) throw invalid(field, `must have at most ${charsMax} characters`)
  if (value.includes('\0')) throw invalid(field, 'must not contain the character U+0000')
  if (!isWellFormed(value)) throw invalid(field, 'contains half of a surrogate pair')
  return value
}

/** `String.prototype.isWellFormed`, which Node 20 has and its TypeScript library does not. */
function isWellFormed(value: string): boolean {
  return (value as unknown as { isWellFormed(): boolean }).isWellFormed()
}
