import type { TextQuery } from '../../text/query.js'
import { type Wanted, type WantedWord, wantedOf } from '../../text/wanted.js'
import { canonical, canonicalPart, stemWord } from './words.js'

/** How far a document may be from what was written, from the nearest on. */
export const levels = ['exact', 'loose', 'corrected'] as const
export type Level = (typeof levels)[number]

/** One search of Typesense. All words and phrases of `q` must match. */
export type Probe = {
  level: Level
  /** Words of letters and digits, "phrases" of such words, and both with `-`. */
  q: string
  /** The last word of `q` may be unfinished. */
  isPrefix: boolean
  /** One typing error in each word. */
  allowsErrors: boolean
}

/** Typesense has no `or` between words, so a condition is a group of searches. A document matches if one finds it. */
export type Condition = Probe[]

/** Further terms are ignored if one of them is enough, because each is a search of its own. */
const anyTermsMax = 16

/** The conditions: one for all terms together, or one for each. Empty: the query has no word. */
export function compileQuery(query: TextQuery, allowsErrors: boolean): Condition[] {
  const wanted = wantedOf(query)
  if (wanted.terms.length === 0) return []
  const groups = query.match === 'all' ? [wanted.terms.flat()] : wanted.terms.slice(0, anyTermsMax)
  return groups.map((words) => conditionOf(words, wanted, allowsErrors))
}

function conditionOf(words: WantedWord[], { without }: Wanted, allowsErrors: boolean): Condition {
  const excluded = without.flat().flatMap(exclusionsOf)
  const probe = (level: Level, spell: (word: WantedWord) => string, isPrefix = false): Probe => ({
    level,
    q: [...words.map(spell), ...excluded].filter(Boolean).join(' '),
    isPrefix,
    allowsErrors: level === 'corrected',
  })
  if (allowsErrors) return [probe('corrected', asJoined)]
  const last = words.at(-1)
  const isPrefix = last?.parts.at(-1)?.isPrefix ?? false
  const asTyped = (word: WantedWord) =>
    isPrefix && word === last ? asJoined(word) : joinedOrStem(word)
  const probes = [
    probe('exact', asWritten),
    probe('loose', asStem),
    // Typesense takes the last word that is not in a phrase for the unfinished one.
    probe('loose', asTyped, isPrefix && last !== undefined && !asTyped(last).startsWith('"')),
  ]
  const key = ({ q, isPrefix }: Probe) => `${isPrefix} ${q}`
  return [...new Map(probes.reverse().map((one) => [key(one), one])).values()].reverse()
}

/** A word, or the phrase of its parts. */
function asWritten({ parts }: WantedWord): string {
  const words = parts.map(canonicalPart).filter(Boolean)
  return words.length > 1 ? `"${words.join(' ')}"` : (words[0] ?? '')
}

/** One word, if it was written as one. */
const asJoined = (word: WantedWord) =>
  word.whole.length > 0 ? canonical(word.whole[0] ?? '') : asWritten(word)

function stemOf({ parts }: WantedWord): string {
  const [only] = parts
  return parts.length === 1 && only?.stem ? stemWord(only.stem) : ''
}

const asStem = (word: WantedWord) => stemOf(word) || asWritten(word)
const joinedOrStem = (word: WantedWord) => stemOf(word) || asJoined(word)

const exclusionsOf = (word: WantedWord) =>
  [...new Set([asWritten(word), asJoined(word)])].filter(Boolean).map((spelling) => `-${spelling}`)
