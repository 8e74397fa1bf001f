import type { Db } from '../../db/schema.js'
import { errorKeys, isCorrectable, isOneErrorApart } from '../../text/typing-errors.js'
import type { Corrections, Wanted, WantedPart } from '../../text/wanted.js'
import { findSimilarWords } from './read.js'

/** The indexed words that are one typing error apart from words of a query, at most `max` for each. */
export async function findCorrections(db: Db, wanted: Wanted, max: number): Promise<Corrections> {
  const corrections: Corrections = new Map()
  const forms = new Set(wanted.terms.flat().flatMap(({ parts }) => parts.flatMap(formsOf)))
  if (forms.size === 0) return corrections
  const similar = await findSimilarWords(db, [...forms].flatMap(errorKeys))
  for (const form of forms) {
    const near = similar.filter((word) => word !== form && isOneErrorApart(form, word))
    if (near.length > 0) corrections.set(form, near.sort(byFirstLetter(form)).slice(0, max))
  }
  return corrections
}

/** Empty: typing errors are not looked for. */
const formsOf = ({ forms, mayBeMistyped }: WantedPart) =>
  mayBeMistyped ? forms.filter(isCorrectable) : []

/** The first letter is rarely mistyped. Then by the alphabet, so that the choice is stable. */
const byFirstLetter = (form: string) => (a: string, b: string) =>
  Number(b[0] === form[0]) - Number(a[0] === form[0]) || (a < b ? -1 : 1)
