import { fold, latinNames } from './fold.js'
import type { Part } from './split-word.js'
import { type Token, tokenize } from './tokenize.js'
import type { WantedPart, WantedWord } from './wanted.js'

/** Where a text has a wanted word; `word` is its index. Offsets are in UTF-16 units. */
export type Match = { start: number; end: number; word: number }

export type MatchLimits = { wordsMax: number; matchesMax: number }

/** Chunks of a text without a wanted word are not split into words. */
const chunkChars = 1000
/** Longer than a phrase. */
const overlapChars = 300

/** The matches of wanted words in a text, by their start. Takes linear time in the text. */
export function findMatches(text: string, wanted: WantedWord[], limits: MatchLimits): Match[] {
  const matches: Match[] = []
  let before = 0
  for (const { start, end } of segmentsOf(text, wanted)) {
    for (const match of matchesIn(text.slice(start, end), wanted, limits)) {
      const found = { ...match, start: match.start + start, end: match.end + start }
      // Segments overlap.
      if (found.start >= before) matches.push(found)
    }
    before = Math.max(before, (matches.at(-1)?.start ?? 0) + 1)
    if (matches.length >= limits.matchesMax) break
  }
  return matches
}

function matchesIn(text: string, wanted: WantedWord[], limits: MatchLimits): Match[] {
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

/**
 * The segments of a text that may have matches. To look for their first letters takes far less time than to split the
 * text into words; most texts have none.
 */
function* segmentsOf(
  text: string,
  wanted: WantedWord[],
): Generator<{ start: number; end: number }> {
  const beginnings = [...new Set(wanted.flatMap(beginningsOf))].map(escapeRegExp)
  const mayMatch = new RegExp(beginnings.join('|'), 'u')
  let start = 0
  for (let at = 0; at < text.length; ) {
    const end = spaceAfter(text, at + chunkChars)
    const isFound = mayMatch.test(latinNames(fold(text.slice(at, end))))
    if (!isFound && start < at) yield { start, end: spaceAfter(text, at + overlapChars) }
    at = end
    if (!isFound) start = end
  }
  if (start < text.length) yield { start, end: text.length }
}

/** Words are not cut. Without spaces in reach, they are. */
function spaceAfter(text: string, from: number): number {
  if (from >= text.length) return text.length
  const space = text.slice(from, from + chunkChars).search(/\s/)
  return space < 0 ? from : from + space
}

const escapeRegExp = (text: string) =>
  text.replace(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

/** A text with the word has one of these. A stem may end in another letter than its words: `happi`, `happy`. */
function beginningsOf({ whole, parts: [first] }: WantedWord): string[] {
  if (!first) return whole
  const stems = first.stem ? [first.stem.slice(0, -1)] : []
  return [...whole, ...first.forms, ...first.corrections, ...stems]
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
  return whole.some(
    (form) =>
      wanted.whole.some((one) => (wanted.isPrefix ? form.startsWith(one) : form === one)) ||
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
