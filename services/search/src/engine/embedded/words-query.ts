import type { Term, TextQuery } from '../../text/query.js'
import { type Part, type Token, tokenize } from '../../text/tokenize.js'
import { quoted, stemLexeme } from './words-vector.js'

const wordsMax = 64

/** Other spellings of a word, for a query that finds nothing. */
export type Corrections = ReadonlyMap<string, string[]>

/**
 * The text of a `tsquery`; undefined if the query has no words. The last word also finds words that begin with it,
 * unless it is quoted.
 */
export function wordsQuery(
  { terms, without, match }: TextQuery,
  corrections: Corrections = new Map(),
): string | undefined {
  const conditions = terms.flatMap((term, index) => {
    const isLast = index === terms.length - 1
    return conditionOf(term, { isPrefix: isLast && !term.isQuoted, corrections }) ?? []
  })
  if (conditions.length === 0) return undefined
  const excluded = without.flatMap(
    (term) => conditionOf(term, { isPrefix: false, corrections: new Map() }) ?? [],
  )
  const found = conditions.join(match === 'all' ? ' & ' : ' | ')
  return [`(${found})`, ...excluded.map((one) => `!${one}`)].join(' & ')
}

type Options = { isPrefix: boolean; corrections: Corrections }

function conditionOf({ text, isQuoted }: Term, options: Options): string | undefined {
  const tokens = [...tokenize(text, wordsMax)]
  if (tokens.length === 0) return undefined
  if (isQuoted) return phrase(tokens.flatMap(({ parts }) => parts.map(exactly)))
  const words = tokens.map((token, index) =>
    anyForm(token, { ...options, isPrefix: options.isPrefix && index === tokens.length - 1 }),
  )
  return words.length === 1 ? words[0] : phrase(words)
}

const anyOf = (conditions: string[]) => {
  const unique = [...new Set(conditions)]
  return unique.length === 1 ? (unique[0] ?? '') : `(${unique.join(' | ')})`
}

const phrase = (conditions: string[]) =>
  conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' <-> ')})`

const exactly = ({ forms }: Part) => anyOf(forms.map(quoted))

/** A word as written, joined, by its stem, or as its parts in a row. */
function anyForm({ whole, parts }: Token, { isPrefix, corrections }: Options) {
  const [first] = parts
  const spellings = corrections.get(whole[0] ?? '') ?? []
  const forms = [...whole, ...spellings, ...(parts.length === 1 ? (first?.forms ?? []) : [])]
  const conditions = forms.map((form) => (isPrefix ? `${quoted(form)}:*` : quoted(form)))
  if (isPrefix) conditions.push(...forms.map(quoted))
  if (parts.length === 1 && first?.stem !== undefined)
    conditions.push(quoted(stemLexeme(first.stem)))
  if (parts.length > 1) conditions.push(phrase(parts.map(exactly)))
  return anyOf(conditions)
}
