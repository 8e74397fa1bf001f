import type { Term, TextQuery } from './query.js'

const termsMax = 32
/** A sign, then a phrase in quotes (which may lack the second quote) or a word. */
const pattern = /(-?)(?:"([^"]*)(?:"|$)|“([^”]*)(?:”|$)|([^\s"“]+))/gu
const hasWord = /[\p{L}\p{N}]/u

/** The terms of a query: words, "phrases" and words to leave out (`-word`). At most 32, and never an error. */
export function parseQuery(text: string, match: TextQuery['match']): TextQuery {
  const query: TextQuery = { terms: [], without: [], match }
  for (const [, sign, straight, curly, word] of text.matchAll(pattern)) {
    const written = straight ?? curly ?? word ?? ''
    if (!hasWord.test(written)) continue
    const term: Term = { text: written, isQuoted: word === undefined }
    const terms = sign ? query.without : query.terms
    if (terms.length < termsMax) terms.push(term)
  }
  return query
}
