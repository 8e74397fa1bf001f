import type { TextQuery } from './query.js'
import { tokenize } from './tokenize.js'

const lettersMin = 5
const lettersMax = 24
const letters = /^\p{L}+$/u
const wordsMax = 2000

/** Whether typing errors are corrected: words of letters only, because another number is another thing. */
const isCorrectable = (word: string) =>
  word.length >= lettersMin && word.length <= lettersMax && letters.test(word)

/** The words of a text that may be what somebody meant to write. */
export function correctableWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const { whole } of tokenize(text, wordsMax)) {
    const [written = ''] = whole
    if (isCorrectable(written)) words.add(written)
  }
  return words
}

/** The words of a query that may be misspelled: not those in quotes. */
export const misspellableWords = ({ terms }: TextQuery): string[] => [
  ...new Set(
    terms.filter(({ isQuoted }) => !isQuoted).flatMap(({ text }) => [...correctableWords(text)]),
  ),
]

/**
 * The word, and the word without each one of its letters. Two words with at most one error between them (a letter
 * added, left out, replaced, or swapped with its neighbour) have one of these in common.
 */
export function variantsOf(word: string): string[] {
  const characters = [...word]
  const shorter = characters.map((_, index) => characters.toSpliced(index, 1).join(''))
  return [...new Set([word, ...shorter])]
}

/** Whether there is at most one such error between two words. */
export function isOneErrorAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [[...one], [...other]] : [[...other], [...one]]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let tail = 0
  while (tail < short.length - start && short.at(-1 - tail) === long.at(-1 - tail)) tail++
  const left = short.slice(start, short.length - tail)
  const right = long.slice(start, long.length - tail)
  if (left.length <= 1 && right.length <= 1) return true
  const isSwapped = left.length === 2 && right.length === 2
  return isSwapped && left[0] === right[1] && left[1] === right[0]
}
