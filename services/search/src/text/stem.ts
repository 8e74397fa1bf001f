import { stemmer } from 'stemmer'

const english = /^[a-z]{3,}$/
/** The words of a text repeat, and a stem takes longer than the rest of its word. */
const stems = new Map<string, string>()
const stemsMax = 50_000

/** The English stem of a folded word; undefined if it is no English word. */
export function stemOf(folded: string): string | undefined {
  const known = stems.get(folded)
  if (known !== undefined) return known
  if (!english.test(folded)) return undefined
  if (stems.size >= stemsMax) stems.clear()
  const stem = stemmer(folded)
  stems.set(folded, stem)
  return stem
}
