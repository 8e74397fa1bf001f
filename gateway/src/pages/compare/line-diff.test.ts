import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadlineIn } from '../deadline.js'
import { diffLines, type Hunk } from './line-diff.js'

const diff = (before: string, after: string) => diffLines(before, after, deadlineIn(5000))

/** Lines as text, with changed words in brackets. */
const textOf = (hunks: Hunk[] | undefined) =>
  hunks?.flatMap(({ lines }) =>
    lines.map(
      ({ state, parts }) =>
        `${{ same: ' ', added: '+', removed: '-' }[state]}${parts
          .map(({ text, isChanged }) => (isChanged ? `[${text}]` : text))
          .join('')}`,
    ),
  )

test('marks the words that changed in lines that replace each other', () => {
  assert.deepEqual(textOf(diff('a\nx = f(1)\nb\n', 'a\nx = f(2)\nb\n')), [
    ' a',
    '-x = f([1])',
    '+x = f([2])',
    ' b',
  ])
  assert.deepEqual(textOf(diff('same\n', 'same\nnew line\n')), [' same', '+new line'])
  assert.deepEqual(textOf(diff('abc\n', 'xyz\n')), ['-abc', '+xyz'])
  assert.deepEqual(textOf(diff('a', 'a\n')), ['-a', '+a'])
})

test('shows three lines around each change, and the numbers of the lines', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)
  const changed = lines.with(4, 'five').with(30, 'thirty-one')
  const hunks = diff(lines.join('\n'), changed.join('\n'))
  assert.deepEqual(
    hunks?.map(({ before, after, lines }) => [before, after, lines.length]),
    [
      [2, 2, 8],
      [28, 28, 8],
    ],
  )
})

test('equal texts have no changes', () => {
  assert.deepEqual(diff('a\nb', 'a\nb'), [])
  assert.deepEqual(diff('', ''), [])
})

test('gives up on texts with too many changes, and after the deadline', () => {
  const lines = (seed: number) =>
    Array.from({ length: 60_000 }, (_, i) => (i * seed) % 9973).join('\n')
  const begun = performance.now()
  assert.equal(diffLines(lines(7), lines(11), deadlineIn(100)), undefined)
  assert.ok(performance.now() - begun < 3000)
  assert.equal(diffLines('a', 'b', deadlineIn(0)), undefined)
  const long = 'word '.repeat(5000)
  const hunks = diff(
    long,
    long.replaceAll('word', () => `w${Math.random()}`),
  )
  assert.equal(textOf(hunks)?.length, 2)
})
