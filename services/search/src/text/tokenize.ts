import { stemmer } from 'stemmer'
import { latinNames } from './greek.js'

/** A word of a text, with where it stands. */
export type Token = {
  /** The forms of the whole word, folded: `il-6`, `il6`. The first one is as written. */
  whole: string[]
  /** Its parts, each a word of its own: `il` and `6`. At least one. */
  parts: Part[]
  start: number
  end: number
}

export type Part = {
  /** As written, folded; then other spellings. */
  forms: string[]
  /** The English stem; undefined if it is no English word. */
  stem: string | undefined
}

/** Longer words are cut. SHA-256 and BLAKE3 hashes have 64 characters. */
export const wordCharsMax = 64

const word = /[\p{L}\p{N}\p{M}_]+(?:['’.\-/+:@#·][\p{L}\p{N}\p{M}_]+)*[+]?/gu
/** Scripts that put no space between words: pairs of characters are found. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{M}]+|\p{Lt}|\p{Lm}+|\p{N}+|\p{Lu}/gu
const english = /^[a-z]{3,}$/

/** Without case and accents, in compatible form. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/’/g, "'")

/** The words of a text in their order, at most `max`. Takes linear time. */
export function* tokenize(text: string, max: number): Generator<Token> {
  let left = max
  for (const { 0: raw, index: start } of text.matchAll(word)) {
    if (dense.test(raw)) {
      for (const token of pairsOf(raw, start)) {
        if (left-- <= 0) return
        yield token
      }
      continue
    }
    if (left-- <= 0) return
    yield tokenOf(raw.slice(0, wordCharsMax), start, start + raw.length)
  }
}

function tokenOf(raw: string, start: number, end: number): Token {
  const parts = [...raw.matchAll(part)].map(([text]) => partOf(text))
  const folded = fold(raw)
  const joined = folded.replace(/[^\p{L}\p{N}]/gu, '')
  const latin = latinNames(folded)
  const whole = [...new Set([folded, joined, latin, latin.replace(/[^\p{L}\p{N}]/gu, '')])]
  return {
    whole: whole.filter(Boolean),
    parts: parts.length > 0 ? parts : [{ forms: [folded], stem: undefined }],
    start,
    end,
  }
}

function partOf(raw: string): Part {
  const folded = fold(raw)
  const stem = english.test(folded) ? stemmer(folded) : undefined
  return { forms: [...new Set([folded, latinNames(folded)])], stem }
}

function* pairsOf(raw: string, start: number): Generator<Token> {
  const characters = [...raw]
  let at = start
  for (const [index, character] of characters.entries()) {
    const pair = fold(character + (characters[index + 1] ?? ''))
    if (index === 0 || index < characters.length - 1) {
      const end = at + character.length + (characters[index + 1]?.length ?? 0)
      yield { whole: [pair], parts: [{ forms: [pair], stem: undefined }], start: at, end }
    }
    at += character.length
  }
}
