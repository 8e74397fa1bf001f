import { fold, latinNames } from './fold.js'
import type { Part } from './split-word.js'
import { type Token, tokenize } from './tokenize.js'
import type { WantedPart, WantedWord } from './wanted.js'

/** Where a text has a wanted word; `word` is its index. Offsets are in UTF-16 units. */
export type Match = { start: number; end: number; word: number }

export type MatchLimits = { wordsMax: number; matchesMax: number }

/** The matches of wanted words in a text, by their start. Takes linear time in the text. */
export function findMatches(text: string, wanted: WantedWord[], limits: MatchLimits): Match[] {
  if (!mayMatch(latinNames(fold(text)), wanted)) return []
  const matches: Match[] = []
  const parts: Part[] = []
  /** The token that begins with a part. */
  const begun = new Map<number, Token>()
  for (const token of tokenize(text, limits.wordsMax)) {
    begun.set(parts.length, token)
    parts.push(...token.parts)
  }
  for (let at = 0; at < parts.length && matches.length < limits.matchesMax; at++) {
    for (const [word, one] of wanted.entries()) {
      const found = matchAt(parts, at, begun.get(at), one)
      if (found) matches.push({ ...found, word })
    }
  }
  return matches
}

/** Most texts have none of the words: this takes far less time than to split them into words. */
const mayMatch = (folded: string, wanted: WantedWord[]) =>
  wanted.some((word) => beginningsOf(word).some((beginning) => folded.includes(beginning)))

/** One of these is in every text with the word. A stem may end in another letter than its words: `happi`, `happy`. */
function beginningsOf({ whole, parts: [first] }: WantedWord): string[] {
  if (!first) return whole
  return [
    ...whole,
    ...first.forms,
    ...first.corrections,
    ...(first.stem ? [first.stem.slice(0, -1)] : []),
  ]
}

function matchAt(parts: Part[], at: number, token: Token | undefined, wanted: WantedWord) {
  if (token && isWhole(token, wanted)) return { start: token.start, end: token.end }
  for (const [index, wantedPart] of wanted.parts.entries()) {
    const part = parts[at + index]
    if (!part || !isPart(part, wantedPart)) return undefined
  }
  const start = parts[at]?.start ?? 0
  return { start, end: parts[at + wanted.parts.length - 1]?.end ?? start }
}

function isWhole({ whole }: Token, wanted: WantedWord): boolean {
  const isPrefix = wanted.parts.at(-1)?.isPrefix ?? false
  return whole.some(
    (form) =>
      wanted.whole.some((one) => (isPrefix ? form.startsWith(one) : form === one)) ||
      wanted.parts[0]?.corrections.includes(form),
  )
}

function isPart({ forms, stem }: Part, wanted: WantedPart): boolean {
  if (wanted.stem && (stem === wanted.stem || forms.includes(wanted.stem))) return true
  return forms.some(
    (form) =>
      wanted.corrections.includes(form) ||
      wanted.forms.some((one) => (wanted.isPrefix ? form.startsWith(one) : form === one)),
  )
}
