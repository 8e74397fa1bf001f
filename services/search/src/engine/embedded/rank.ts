import { live } from './examined.js'

export type RankedId = { id: string; rank: number }

/** Of the fields with PostgreSQL's weights D, C, B and A. Chosen on half of the corpus, see WORDS.md. */
const weights = `'{0.05, 0.2, 0.7, 1.0}'::float4[]`
const rank = (query: string) => `ts_rank(${weights}, e.words, ${query}::tsquery)::float8`

/**
 * Exact words weigh more than their stems and longer words, these more than corrected words. Among equals, a short name
 * and description are more about a word.
 */
export const rankOf = (prefix: string): string => `
  (0.6 * ${rank(`${prefix}exact`)} + 0.3 * ${rank(`${prefix}loose`)}
   + 0.1 * coalesce(${rank(`${prefix}corrected`)}, 0)) / (1 + ln(1 + e.title_words))`

/** All words in one of the name and the description count twice, one after the other three times. */
export const closenessOf = (prefix: string): string => `
  (1 + (e.words @@ ${prefix}together::tsquery)::int + (e.words @@ ${prefix}inOrder::tsquery)::int)`

/** Of a matching document. The words are stored apart from their row: they are read once for all ranks. */
export const wordsOf = (id: string): string => `
  lateral (select e.words || ''::tsvector as words, e.title_words from entry e
            where e.generation = ${live} and e.id = ${id} offset 0) e`
