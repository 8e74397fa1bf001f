/** One condition of a query: a word, or words that follow each other. */
export type Term = {
  /** As written, without quotes and sign. */
  words: string[]
  /** Written in quotes: no prefixes, no typing errors. */
  isQuoted: boolean
}

/** What the words of a query ask for. */
export type TextQuery = {
  terms: Term[]
  /** Objects with one of these are not found. */
  without: Term[]
  /** Whether all terms must be found, or one of them. */
  match: 'all' | 'any'
}
