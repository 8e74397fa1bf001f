import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidatesOf } from '../src/completion.js'
import { createProgram } from '../src/program.js'

const complete = (...words: string[]) => candidatesOf(createProgram([]), words)

test('completes commands, options and choices', () => {
  assert.deepEqual(complete('wh'), ['whoami'])
  assert.deepEqual(complete('story', 'e'), ['export'])
  assert.deepEqual(complete('git', 'l'), ['ls', 'log'])
  assert.deepEqual(complete('git', 'add', '--i'), ['--include', '--import'])
  assert.deepEqual(complete('git', 'log', 'x', '--l'), ['--limit'])
  assert.deepEqual(complete('story', 'export', '--fo'), ['--format', '--force'])
  assert.deepEqual(complete('search', '--by', ''), ['keyword', 'text', 'semantic'])
  assert.deepEqual(complete('completion', 'f'), ['fish'])
})

test('leaves files to the shell', () => {
  assert.deepEqual(complete('publish', 'me'), [])
  assert.deepEqual(complete('publish', '--code', ''), [])
  assert.deepEqual(complete('git', 'add', '--to', ''), [])
  assert.deepEqual(complete('git', 'ls', ''), [])
})

test('does not show what is hidden', () => {
  assert.ok(!complete('').includes('complete'))
})
