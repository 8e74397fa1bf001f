import { fold, latinNames } from './fold.js'
import { stemOf } from './stem.js'

/** A part of a word: `il` and `6` are the parts of `IL-6`. */
export type Part = {
  /** Folded; the first form is as written, the others are other spellings of it. */
  forms: string[]
  /** The English stem, if it is an English word; it may be equal to the first form. */
  stem: string | undefined
  /** Offsets in the text, in UTF-16 units. */
  start: number
  end: number
}

/** More parts say nothing: a random id, or a list without spaces. Such a word is found only as a whole. */
const partsMax = 12
/** Longer runs of Greek letters are Greek words, not symbols. */
const symbolLettersMax = 3

/**
 * Upper case letters up to the next word (`HTTP` of `HTTPServer`), a capitalized or lower case word, letters without
 * case, digits. Greek and other letters are separate parts.
 */
const parts = new RegExp(
  [
    '(?<greek>[\\p{Script=Greek}\\u00b5][\\p{Script=Greek}\\u00b5\\p{M}]*)',
    '(?<digits>\\p{N}+)',
    '(?:(?!\\p{Script=Greek})\\p{Lu}\\p{M}*)+(?!(?![\\p{Script=Greek}\\u00b5])\\p{Ll}|\\p{M})',
    '(?:(?!\\p{Script=Greek})\\p{Lu}\\p{M}*)?(?:(?![\\p{Script=Greek}\\u00b5])\\p{Ll}\\p{M}*)+',
    '(?:(?!\\p{Script=Greek})[\\p{Lo}\\p{Lm}\\p{Lt}]\\p{M}*)+',
    '\\p{Lu}\\p{M}*',
  ].join('|'),
  'gu',
)
const upperRun = /^\p{Lu}{2,}$/u
const capitalized = /^\p{Lu}\p{Ll}+$/u
/** A hash, or a UUID without its hyphens. */
const hexadecimal = /^(?=.*\d)(?=.*[a-f])[\da-f]{16,}$/

/** The parts of a word, in their order. Empty: the word is found only as a whole. `offset` is its start in the text. */
export function splitWord(word: string, offset: number): Part[] {
  if (word.length >= 16 && hexadecimal.test(word.toLowerCase().replaceAll('-', ''))) return []
  const found: Part[] = []
  let before: { text: string; part: Part } | undefined
  for (const { 0: text, index, groups } of word.matchAll(parts)) {
    const start = offset + index
    if (groups?.greek && [...text].length <= symbolLettersMax) {
      found.push(...lettersOf(text, start))
      before = undefined
    } else {
      const part = partOf(text, start)
      if (before) addOtherSplit(before, text, part)
      found.push(part)
      before = { text, part }
    }
    if (found.length > partsMax) return []
  }
  return found
}

/** Folding may lengthen a word. Cuts between characters, never inside one. */
export const formOf = (folded: string): string =>
  folded.length <= formCharsMax
    ? folded
    : folded.slice(0, formCharsMax).replace(/[\ud800-\udbff]$/, '')
const formCharsMax = 128

export function partOf(text: string, start: number): Part {
  const folded = formOf(fold(text))
  const forms = [...new Set([folded, formOf(latinNames(folded))])]
  return { forms, stem: stemOf(folded), start, end: start + text.length }
}

/** Each letter of a Greek symbol is a part, with the accents that follow it. */
function lettersOf(symbol: string, offset: number): Part[] {
  return [...symbol.matchAll(/\P{M}\p{M}*/gu)].map(({ 0: letter, index }) =>
    partOf(letter, offset + index),
  )
}

/** `RNAseq` is `RN` + `Aseq` like `HTTPServer` is `HTTP` + `Server`: it is found as `RNA` + `seq`, too. */
function addOtherSplit(before: { text: string; part: Part }, text: string, part: Part) {
  const isRun = upperRun.test(before.text) || /^\p{Lu}$/u.test(before.text)
  if (!isRun || !capitalized.test(text) || part.start !== before.part.end) return
  const [capital = ''] = text
  before.part.forms.push(fold(before.text + capital))
  part.forms.push(fold(text.slice(capital.length)))
}
