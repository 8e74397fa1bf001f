/** One condition of a query: a word, or words that follow each other. */
export type Term = {
  /** As written, without quotes and sign. */
  text: string
  /** Written in quotes: found only as written, word by word. */
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
