import { fold, latinNames } from './fold.js'
import type { Part } from './split-word.js'
import { type Token, tokenize } from './tokenize.js'
import type { WantedPart, WantedWord } from './wanted.js'

/** Where a text has a wanted word; `word` is its index. Offsets are in UTF-16 units. */
export type Match = { start: number; end: number; word: number }

export type MatchLimits = { wordsMax: number; matchesMax: number }

/** Longer texts are read only around the places that may match. */
const shortChars = 2000
/** Longer than a phrase, and than the text that is shown with a match. */
const aroundChars = 400

/** The matches of wanted words in a text, by their start. Takes linear time in the text. */
export function findMatches(text: string, wanted: WantedWord[], limits: MatchLimits): Match[] {
  const matches: Match[] = []
  for (const { start, end } of segmentsOf(text, wanted, limits)) {
    for (const match of matchesIn(text.slice(start, end), wanted, limits)) {
      matches.push({ ...match, start: match.start + start, end: match.end + start })
    }
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
function segmentsOf(text: string, wanted: WantedWord[], { matchesMax }: MatchLimits) {
  const folded = latinNames(fold(text))
  const beginnings = [...new Set(wanted.flatMap(beginningsOf))].map(escapeRegExp)
  const places = folded.matchAll(new RegExp(beginnings.join('|'), 'gu'))
  const whole = [{ start: 0, end: text.length }]
  // Folding has moved the places: they say only that there are some.
  if (text.length <= shortChars || folded.length !== text.length) {
    return places.next().done ? [] : whole
  }
  const segments: { start: number; end: number }[] = []
  for (const { index } of places) {
    const last = segments.at(-1)
    const end = spaceAfter(text, index + aroundChars)
    if (last && index - aroundChars <= last.end) last.end = end
    else if (segments.length === matchesMax) break
    else segments.push({ start: spaceAfter(text, Math.max(0, index - aroundChars)), end })
  }
  return segments
}

/** Words are not cut. Without spaces in reach, they are. */
function spaceAfter(text: string, from: number): number {
  if (from === 0 || from >= text.length) return Math.min(from, text.length)
  const space = text.slice(from, from + aroundChars / 2).search(/\s/)
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
