import { invalid } from '../errors/errors.js'

/** Checks the length of a caller's text, and that it can be stored. */
export function checkedText(
  field: string,
  value: string,
  { charsMin = 0, charsMax }: { charsMin?: number; charsMax: number },
): string {
  if (value.length < charsMin) {
    throw invalid(field, charsMin === 1 ? 'must not be empty' : `needs ${charsMin} characters`)
  }
  if (value.length > charsMax) throw invalid(field, `must have at most ${charsMax} characters`)
  const problem = problemOfText(value)
  if (problem) throw invalid(field, problem)
  return value
}

/** Why a text cannot be stored: PostgreSQL does not allow U+0000, and UTF-8 no lone surrogates. */
export function problemOfText(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain the character U+0000'
  if (!isWellFormed(value)) return 'contains half of a surrogate pair'
  return undefined
}

/** `String.prototype.isWellFormed`, which Node 20 has but its TypeScript library lacks. */
function isWellFormed(value: string): boolean {
  return (value as unknown as { isWellFormed(): boolean }).isWellFormed()
}
