import { findMatches, type Match, type MatchLimits } from './find-matches.js'
import type { WantedWord } from './wanted.js'

export type SnippetLimits = MatchLimits & { snippetsMax: number; snippetChars: number }

export const snippetLimits: SnippetLimits = {
  snippetsMax: 3,
  snippetChars: 150,
  wordsMax: 5000,
  matchesMax: 200,
}

/** The text before a match that is shown with it. */
const leadChars = 40
/** How far a cut moves to the next space. */
const wordCutMax = 25

/**
 * Parts of a text around its best matches, in their order in the text: HTML whose only tag is `<mark>`, with `…` where
 * the text was cut. Empty: nothing matches.
 */
export function snippetsOf(text: string, wanted: WantedWord[], limits = snippetLimits): string[] {
  const matches = findMatches(text, wanted, limits)
  if (matches.length === 0) return []
  if (text.length <= limits.snippetChars) return [snippet(text, 0, text.length, matches)]
  return bestWindows(matches, limits)
    .sort((a, b) => a.start - b.start)
    .map(({ start }) => {
      const from = cutBefore(text, Math.max(0, start - leadChars))
      const to = cutAfter(text, Math.min(text.length, from + limits.snippetChars))
      return snippet(text, from, Math.max(to, start), matches)
    })
}

/** The matches that begin windows with the most different words, which do not overlap. */
function bestWindows(matches: Match[], limits: SnippetLimits): Match[] {
  const width = limits.snippetChars - leadChars
  const windows = matches.map((first, at) => {
    const words = new Set<number>()
    for (let next = at; next < matches.length; next++) {
      const match = matches[next]
      if (!match || match.end > first.start + width) break
      words.add(match.word)
    }
    return { first, words: words.size }
  })
  const best: Match[] = []
  for (const { first } of windows.sort((a, b) => b.words - a.words)) {
    if (best.length === limits.snippetsMax) break
    const isApart = (other: Match) => Math.abs(other.start - first.start) >= limits.snippetChars
    if (best.every(isApart)) best.push(first)
  }
  return best
}

function cutBefore(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + wordCutMax).search(/\s/)
  return betweenCharacters(text, space < 0 ? at : at + space + 1)
}

function cutAfter(text: string, at: number): number {
  if (at === text.length) return at
  const space = text.slice(at, at + wordCutMax).search(/\s/)
  return betweenCharacters(text, space < 0 ? at : at + space)
}

/** A character outside of the basic plane has two units. */
const betweenCharacters = (text: string, at: number) =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
    ? at - 1
    : at

function snippet(text: string, from: number, to: number, matches: Match[]): string {
  let html = from > 0 ? '…' : ''
  let at = from
  for (const { start, end } of merged(matches)) {
    if (start < at || end > to) continue
    html += `${escapeText(text.slice(at, start))}<mark>${escapeText(text.slice(start, end))}</mark>`
    at = end
  }
  return html + escapeText(text.slice(at, to)) + (to < text.length ? '…' : '')
}

/** Without overlaps. */
function merged(matches: Match[]): Match[] {
  const apart: Match[] = []
  for (const match of matches) {
    const last = apart.at(-1)
    if (last && match.start < last.end) last.end = Math.max(last.end, match.end)
    else apart.push({ ...match })
  }
  return apart
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string) =>
  text.replace(/\s+/g, ' ').replace(/[&<>"']/g, (character) => entities[character] ?? '')
