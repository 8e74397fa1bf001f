import type { Term, TextQuery } from './query.js'

export type QueryLimits = {
  /** The rest of the query is ignored. */
  queryCharsMax: number
  /** Of each kind: to find, and to leave out. Further ones are ignored. */
  termsMax: number
}

export const queryLimits: QueryLimits = { queryCharsMax: 2000, termsMax: 32 }

/** A sign, then a phrase in quotes (which may lack the second quote), or a word. */
const pattern = /(-?)(?:"([^"]*)(?:"|$)|[“„]([^”“]*)(?:[”“]|$)|([^\s"“„]+))/gu
/** What is before a DOI in a link or a citation: the DOI alone is looked for. */
const beforeDoi = /^(?:https?:\/\/)?(?:[\w-]+\.)*doi(?:\.org)?[:/](?=10\.\d)/i
const hasWord = /[\p{L}\p{N}]/u

/** The terms of a query: words, "phrases", and words to leave out (`-word`). Any text is a query. */
export function parseQuery(
  text: string,
  match: TextQuery['match'],
  { queryCharsMax, termsMax }: QueryLimits = queryLimits,
): TextQuery {
  const query: TextQuery = { terms: [], without: [], match }
  const read = text.slice(0, queryCharsMax)
  for (const [, sign, straight, curly, word] of read.matchAll(pattern)) {
    const written = straight ?? curly ?? word ?? ''
    if (!hasWord.test(written)) continue
    const isQuoted = word === undefined
    const term: Term = { text: isQuoted ? written : written.replace(beforeDoi, ''), isQuoted }
    const terms = sign ? query.without : query.terms
    if (terms.length < termsMax) terms.push(term)
  }
  return query
}
