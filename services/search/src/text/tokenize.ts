import { fold, latinNames } from './fold.js'
import { formOf, type Part, partOf, splitWord } from './split-word.js'
import { stemOf } from './stem.js'

/** A word of a text. */
export type Token = {
  /** Spellings of the whole word, folded, the first one as written: `il-6`, `il6`. Empty for scripts without spaces. */
  whole: string[]
  /** At least one, each with its place in the text. */
  parts: Part[]
  /** Offsets in the text, in UTF-16 units. */
  start: number
  end: number
}

/** Longer words are split at their separators, and then cut. A SHA-256 hash has 64 characters. */
export const wordCharsMax = 64

const letters = '[\\p{L}\\p{N}\\p{M}_]+'
/** Letters and digits, joined by separators as in `10.1038/s41586-020-1` and `5'-UTR`. */
const words = new RegExp(`${letters}(?:['’′.\\-‐‑–/+:@#·]{1,2}${letters})*`, 'gu')
const withoutSeparators = new RegExp(letters, 'gu')
const separators = /[^\p{L}\p{N}\p{M}]+/gu
const typographic = /[’′‐‑–]/g
/** Scripts that put no spaces between words. */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspacedSet = `[${unspacedScripts.map((name) => `\\p{Script=${name}}`).join('')}ー々]`
const unspaced = new RegExp(unspacedSet, 'u')
const runs = new RegExp(`(?<unspaced>(?:${unspacedSet}\\p{M}*)+)|(?:(?!${unspacedSet}).)+`, 'gu')

/**
 * The words of a text in their order, at most `max`. Takes linear time. A text of a query has no single characters
 * beside the pairs, because those would find the ends of words only.
 */
export function* tokenize(text: string, max: number, isQuery = false): Generator<Token> {
  let left = max
  for (const { 0: word, index: start } of text.matchAll(words)) {
    if (isPlain.test(word)) {
      if (left-- <= 0) return
      yield plainToken(word, start)
      continue
    }
    const doi = word.search(doiInWord)
    const pieces = doi > 0 ? [word.slice(0, doi), word.slice(doi)] : [word]
    let at = start
    for (const piece of pieces) {
      for (const token of tokensOf(piece, at, isQuery)) {
        if (left-- <= 0) return
        yield token
      }
      at += piece.length
    }
  }
}

/** A DOI after `doi:` or in a link: it is a word of its own, so that it is found without the link. */
const doiInWord = /(?<=\bdoi(?:\.org)?[:/])10\.\d/iu

/** Most words: the rest of the rules would change nothing. */
const isPlain = new RegExp(`^[A-Za-z][a-z]{0,${wordCharsMax - 1}}$`)

function plainToken(word: string, start: number): Token {
  const form = word.toLowerCase()
  const [end, whole] = [start + word.length, [form]]
  return { whole, parts: [{ forms: whole, stem: stemOf(form), start, end }], start, end }
}

function* tokensOf(word: string, start: number, isQuery: boolean): Generator<Token> {
  if (unspaced.test(word)) {
    for (const { 0: run, index, groups } of word.matchAll(runs)) {
      if (groups?.unspaced) yield* pairsOf(run, start + index, isQuery)
      else yield* tokensOf(run, start + index, isQuery)
    }
  } else if (word.length > wordCharsMax) {
    for (const { 0: piece, index } of word.matchAll(withoutSeparators)) {
      yield* tokenOf(cut(piece), start + index)
    }
  } else yield* tokenOf(word, start)
}

/** Cuts between characters, never inside one. */
const cut = (word: string) => word.slice(0, wordCharsMax).replace(/[\ud800-\udbff]$/, '')

function* tokenOf(word: string, start: number): Generator<Token> {
  const folded = fold(word.replace(typographic, (mark) => (/[’′]/.test(mark) ? "'" : '-')))
  const latin = latinNames(folded)
  if (joined(folded) === '') return
  const spellings = [folded, joined(folded), latin, joined(latin)]
  const whole = [...new Set(spellings.map(formOf))]
  const end = start + word.length
  const split = splitWord(word, start)
  const parts = split.length > 0 ? split : [{ forms: whole, stem: undefined, start, end }]
  yield { whole, parts, start, end }
}

/** Without separators: `il6` for `il-6`. */
export const joined = (word: string): string => word.replace(separators, '')

/** Pairs of neighbouring characters, so that every substring of a run is a sequence of pairs. */
function* pairsOf(run: string, start: number, isQuery: boolean): Generator<Token> {
  const characters = [...run.matchAll(/\P{M}\p{M}*|\p{M}+/gu)]
  const parts: Part[] = []
  for (const [at, { 0: character, index }] of characters.entries()) {
    const next = characters[at + 1]
    if (isQuery && !next && at > 0) break
    const part = partOf(character + (next?.[0] ?? ''), start + index)
    if (part.forms[0] !== '') parts.push(part)
  }
  if (parts.length > 0) yield { whole: [], parts, start, end: start + run.length }
}
