import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesIn, numbered } from './numbered-lines.js'

const parts = [{ text: 'a\nb\nc\nd' }, { text: 'e\nf' }]

test('lines are numbered from 1', () => {
  assert.equal(numbered('a\n\nb'), '1: a\n2: \n3: b')
})

test('chosen lines come in the order of the code, each once', () => {
  const ranges = [
    { part: 2, from: 2, to: 2 },
    { part: 1, from: 3, to: 4 },
    { part: 1, from: 1, to: 1 },
    { part: 1, from: 4, to: 4 },
  ]
  assert.equal(linesIn(parts, ranges), 'a\nc\nd\n\nf')
})

test('parts and lines that do not exist are ignored', () => {
  const ranges = [
    { part: 3, from: 1, to: 9 },
    { part: 1, from: 4, to: 2 },
    { part: 2, from: 2, to: 10 ** 12 },
  ]
  assert.equal(linesIn(parts, ranges), 'f')
  assert.equal(linesIn(parts, []), '')
})
