import type { Db } from '../../db/schema.js'
import { errorKeys, isCorrectable, isOneErrorApart } from '../../text/typing-errors.js'
import type { Corrections, Wanted } from '../../text/wanted.js'
import { findSimilarWords } from './find.js'

/** Words with a common key need not be one error apart. */
const similarMax = 1000

/** The indexed words that are one typing error apart from words of a query, at most `max` for each. */
export async function findCorrections(db: Db, wanted: Wanted, max: number): Promise<Corrections> {
  const forms = wanted.terms.flat().flatMap((word) => word.parts.flatMap((part) => part.forms))
  const corrections: Corrections = new Map()
  for (const form of new Set(forms.filter(isCorrectable))) {
    const similar = await findSimilarWords(db, errorKeys(form), similarMax)
    const near = similar.filter((word) => word !== form && isOneErrorApart(form, word))
    if (near.length > 0) corrections.set(form, near.sort(byFirstLetter(form)).slice(0, max))
  }
  return corrections
}

/** The first letter is rarely mistyped. */
const byFirstLetter = (form: string) => (a: string, b: string) =>
  Number(b[0] === form[0]) - Number(a[0] === form[0])
