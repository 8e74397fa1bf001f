import { diffWordsWithSpace, structuredPatch } from 'diff'
import type { Deadline } from '../deadline.js'

/** A part of a line; `isChanged` marks words that the other line does not have. */
export type Part = { text: string; isChanged: boolean }
export type Line = { state: 'same' | 'added' | 'removed'; parts: Part[] }
/** Changed lines with some lines around them; `before` and `after` are the numbers of its first lines. */
export type Hunk = { before: number; after: number; lines: Line[] }

const context = 3
/** More changes are not compared. The time grows with their number. */
const linesMax = 2000
const wordsMax = 200

/** Compares texts line by line, and marks changed words. Undefined if that takes too long. */
export function diffLines(before: string, after: string, deadline: Deadline): Hunk[] | undefined {
  const timeout = deadline.leftMs()
  if (timeout <= 0) return undefined
  const options = { context, timeout, maxEditLength: linesMax }
  const patch = structuredPatch('', '', before, after, '', '', options)
  return patch?.hunks.map(({ oldStart, newStart, lines }) => ({
    before: oldStart,
    after: newStart,
    lines: linesOf(lines, deadline),
  }))
}

const states = { ' ': 'same', '+': 'added', '-': 'removed' } as const

function linesOf(lines: string[], deadline: Deadline): Line[] {
  const shown = lines.flatMap((line): Line[] => {
    const state = states[line[0] as keyof typeof states]
    return state ? [{ state, parts: [{ text: line.slice(1), isChanged: false }] }] : []
  })
  for (let at = 0; at < shown.length; ) {
    const removed = countOf(shown, at, 'removed')
    const added = countOf(shown, at + removed, 'added')
    const pairs = Math.min(removed, added)
    for (let i = at; i < at + pairs; i++) markWords(shown[i], shown[i + removed], deadline)
    at += Math.max(1, removed + added)
  }
  return shown
}

function countOf(lines: Line[], at: number, state: Line['state']) {
  let end = at
  while (lines[end]?.state === state) end++
  return end - at
}

function markWords(removed: Line | undefined, added: Line | undefined, deadline: Deadline) {
  const timeout = deadline.leftMs()
  const [before, after] = [removed?.parts[0], added?.parts[0]]
  if (!removed || !added || !before || !after || timeout <= 0) return
  const options = { timeout, maxEditLength: wordsMax }
  const words = diffWordsWithSpace(before.text, after.text, options)
  // If nothing is common, the marks would say nothing.
  if (!words?.some((word) => !word.added && !word.removed && word.value.trim() !== '')) return
  removed.parts = words.flatMap(({ value, added, removed: isChanged }) =>
    added ? [] : [{ text: value, isChanged }],
  )
  added.parts = words.flatMap(({ value, added: isChanged, removed }) =>
    removed ? [] : [{ text: value, isChanged }],
  )
}
