import type { Term, TextQuery } from '../../text/query.js'
import { type WantedWord, wantedOf } from '../../text/wanted.js'
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

/** A word of a query; in quotes, it is found only as written. */
type TypedWord = { word: WantedWord; isQuoted: boolean }

/** The conditions: one for all terms together, or one for each. Empty: the query has no word. */
export function compileQuery(query: TextQuery, allowsErrors: boolean): Condition[] {
  const { terms, without, match } = query
  const excluded = wantedOf({ ...query, terms: [] })
    .without.flat()
    .flatMap(exclusionsOf)
  const typed = terms
    .map((term) => typedWords(term, { terms: [], without, match }))
    .filter((words) => words.length > 0)
  const last = typed.at(-1)?.at(-1)
  const groups = match === 'all' ? [typed.flat()] : typed.slice(0, anyTermsMax)
  return groups
    .filter((words) => words.length > 0)
    .map((words) => (allowsErrors ? corrected(words, excluded) : asTyped(words, last, excluded)))
}

const typedWords = (term: Term, query: TextQuery): TypedWord[] =>
  wantedOf({ ...query, terms: [term] })
    .terms.flat()
    .map((word) => ({
      word,
      isQuoted: term.isQuoted,
    }))

const qOf = (words: string[], excluded: string[]) => [...words, ...excluded].join(' ')

function corrected(words: TypedWord[], excluded: string[]): Condition {
  const q = qOf(words.map(asJoined), excluded)
  return [{ level: 'corrected', q, isPrefix: false, allowsErrors: true }]
}

/** As written, with the same stems, and joined with an unfinished last word. */
function asTyped(words: TypedWord[], last: TypedWord | undefined, excluded: string[]): Condition {
  const isUnfinished = (one: TypedWord) => one === last && mayBeUnfinished(one)
  const spell = (one: TypedWord) =>
    isUnfinished(one) ? asJoined(one) : stemOf(one) || asJoined(one)
  const probes = [
    { level: 'exact' as const, words: words.map(asWritten), isPrefix: false },
    {
      level: 'loose' as const,
      words: words.map((one) => stemOf(one) || asWritten(one)),
      isPrefix: false,
    },
    { level: 'loose' as const, words: words.map(spell), isPrefix: words.some(isUnfinished) },
  ]
  const distinct = new Map<string, Probe>()
  for (const { level, words, isPrefix } of probes) {
    const q = qOf(words, excluded)
    const key = `${isPrefix} ${q}`
    if (!distinct.has(key)) distinct.set(key, { level, q, isPrefix, allowsErrors: false })
  }
  return [...distinct.values()]
}

/** Typesense takes the last word outside of phrases for the unfinished one. */
const mayBeUnfinished = (one: TypedWord) =>
  !one.isQuoted && one.word.isPrefix && !asJoined(one).startsWith('"')

/** A word, or the phrase of its parts. Typesense looks for typing errors in words, not in phrases. */
function asWritten({ word, isQuoted }: TypedWord): string {
  const words = word.parts.map(canonicalPart)
  return words.length > 1 || isQuoted ? `"${words.join(' ')}"` : (words[0] ?? '')
}

/** One word, if it was written as one. */
function asJoined(typed: TypedWord): string {
  const [whole] = typed.word.whole
  if (whole === undefined) return asWritten(typed)
  return typed.isQuoted ? `"${canonical(whole)}"` : canonical(whole)
}

function stemOf({ word: { parts }, isQuoted }: TypedWord): string {
  const [only] = parts
  return !isQuoted && parts.length === 1 && only?.stem ? stemWord(only.stem) : ''
}

function exclusionsOf(word: WantedWord): string[] {
  const typed = { word, isQuoted: true }
  return [...new Set([asWritten(typed), asJoined(typed)])].map((phrase) => `-${phrase}`)
}
