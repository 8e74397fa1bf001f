import type { Wanted, WantedPart, WantedWord } from '../../text/wanted.js'
import { idLexeme, lexeme, metadataLexeme, stemLexeme } from './lexemes.js'

/** Texts of tsqueries. */
export type CompiledTerm = {
  /** What must be found. */
  match: string
  /** What ranks highest: words as written. */
  exact: string
  /** What ranks lower: stems and longer words, too. */
  loose: string
  /** What ranks lowest: corrected words, too. Null: there are none. */
  corrected: string | null
  /** All words as written, in the name or in the description. */
  together: string
  /** All words as written one after the other, in the name or in the description. */
  inOrder: string
}

/** How far a word may be from what was written. */
type Level = 'exact' | 'loose' | 'corrected'

/** The tsqueries of all terms together, for documents with these tokens: there is at least one term or token. */
export function compileAll(
  wanted: Wanted,
  isCorrected: boolean,
  metadata: string[] = [],
): CompiledTerm {
  const words = wanted.terms.flat()
  const level = isCorrected ? 'corrected' : 'loose'
  const required = [
    ...words.map((word) => wordQuery(word, level)),
    ...metadata.map((token) => lexeme(metadataLexeme(token))),
  ]
  return { match: withoutOthers(required.join(' & '), wanted), ...ranks(words, isCorrected) }
}

/** The tsqueries of each term. */
export function compileEach(
  wanted: Wanted,
  isCorrected: boolean,
  metadata: string[] = [],
): CompiledTerm[] {
  return wanted.terms.map((words) =>
    compileAll({ ...wanted, terms: [words] }, isCorrected, metadata),
  )
}

/** Documents that are found by their metadata alone have no rank: the newest come first. */
const unranked = { exact: '', loose: '', corrected: null, together: '', inOrder: '' }

function ranks(words: WantedWord[], isCorrected: boolean) {
  const any = (level: Level) => words.map((word) => wordQuery(word, level)).join(' | ')
  if (words.length === 0) return unranked
  return {
    exact: any('exact'),
    loose: any('loose'),
    corrected: isCorrected ? any('corrected') : null,
    together: titleWeights.map((weight) => `(${allWithin(words, weight)})`).join(' | '),
    inOrder: words.flatMap(({ parts }) => parts.map(inTitle)).join(' <-> '),
  }
}

/** Of the name, and of the description: see `vector.ts`. */
const titleWeights = ['A', 'B']

const allWithin = (words: WantedWord[], weight: string) =>
  words.map((word) => wordQuery(word, 'exact', weight)).join(' & ')

const inTitle = (part: WantedPart) =>
  `(${partQueries(part, 'exact', titleWeights.join('')).join(' | ')})`

function withoutOthers(match: string, { without }: Wanted): string {
  const others = without.flat().map((word) => ` & !${wordQuery(word, 'exact')}`)
  return match + others.join('')
}

/** The whole word, or its parts one after the other. `weight`: in a field with this weight; empty: anywhere. */
function wordQuery(word: WantedWord, level: Level, weight = ''): string {
  const { whole, id, parts } = word
  const isPrefix = level !== 'exact' && word.isPrefix
  const alternatives = new Set(whole.map((form) => marked(form, weight, isPrefix)))
  if (id) alternatives.add(marked(idLexeme(id), weight))
  const [only, ...others] = parts
  if (only && others.length === 0)
    for (const one of partQueries(only, level, weight)) alternatives.add(one)
  else
    alternatives.add(
      `(${parts.map((part) => `(${partQueries(part, level, weight).join(' | ')})`).join(' <-> ')})`,
    )
  return `(${[...alternatives].join(' | ')})`
}

function partQueries(
  { forms, stem, corrections, isPrefix }: WantedPart,
  level: Level,
  weight = '',
): string[] {
  const of = (words: string[]) => words.map((word) => marked(word, weight))
  if (level === 'exact') return of(forms)
  const loose = forms.map((form) => marked(form, weight, isPrefix))
  const stems = stem ? of([stemLexeme(stem), ...(forms.includes(stem) ? [] : [stem])]) : []
  return [...loose, ...stems, ...(level === 'corrected' ? of(corrections) : [])]
}

function marked(word: string, weight: string, isPrefix = false): string {
  const marks = (isPrefix ? '*' : '') + weight
  return lexeme(word) + (marks && `:${marks}`)
}
