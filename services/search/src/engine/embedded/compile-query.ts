import type { Wanted, WantedPart, WantedWord } from '../../text/wanted.js'
import { idLexeme, lexeme, stemLexeme } from './lexemes.js'

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
}

/** How far a word may be from what was written. */
type Level = 'exact' | 'loose' | 'corrected'

/** The tsqueries of all terms together, of which there is at least one. */
export function compileAll(wanted: Wanted, isCorrected: boolean): CompiledTerm {
  const words = wanted.terms.flat()
  const level = isCorrected ? 'corrected' : 'loose'
  return {
    match: withoutOthers(words.map((word) => wordQuery(word, level)).join(' & '), wanted),
    ...ranks(words, isCorrected),
  }
}

/** The tsqueries of each term. */
export function compileEach(wanted: Wanted, isCorrected: boolean): CompiledTerm[] {
  return wanted.terms.map((words) => compileAll({ ...wanted, terms: [words] }, isCorrected))
}

function ranks(words: WantedWord[], isCorrected: boolean) {
  const any = (level: Level) => words.map((word) => wordQuery(word, level)).join(' | ')
  return {
    exact: any('exact'),
    loose: any('loose'),
    corrected: isCorrected ? any('corrected') : null,
  }
}

function withoutOthers(match: string, { without }: Wanted): string {
  const others = without.flat().map((word) => ` & !${wordQuery(word, 'exact')}`)
  return match + others.join('')
}

/** The whole word, or its parts one after the other. */
function wordQuery({ whole, id, parts }: WantedWord, level: Level): string {
  const isPrefix = level !== 'exact' && (parts.at(-1)?.isPrefix ?? false)
  const alternatives = new Set(whole.map((form) => lexeme(form) + (isPrefix ? ':*' : '')))
  if (id) alternatives.add(lexeme(idLexeme(id)))
  const [only, ...others] = parts
  if (only && others.length === 0) for (const one of partQueries(only, level)) alternatives.add(one)
  else
    alternatives.add(
      `(${parts.map((part) => `(${partQueries(part, level).join(' | ')})`).join(' <-> ')})`,
    )
  return `(${[...alternatives].join(' | ')})`
}

function partQueries({ forms, stem, corrections, isPrefix }: WantedPart, level: Level): string[] {
  const exact = forms.map(lexeme)
  if (level === 'exact') return exact
  const loose = isPrefix ? exact.map((form) => `${form}:*`) : exact
  const stems = stem
    ? [lexeme(stemLexeme(stem)), ...(forms.includes(stem) ? [] : [lexeme(stem)])]
    : []
  const corrected = level === 'corrected' ? corrections.map(lexeme) : []
  return [...loose, ...stems, ...corrected]
}
