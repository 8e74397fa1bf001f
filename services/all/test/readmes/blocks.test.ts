import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBlocks } from './blocks.js'

const read = (...lines: string[]) => readBlocks('X.md', lines.join('\n'))

test('blocks are found with the line that they begin at', () => {
  const blocks = read('a', '```sh', 'one', '', 'two', '```', '- b', '  ~~~bash', '  three', '  ~~~')
  assert.deepEqual(blocks, [
    { line: 3, language: 'sh', text: 'one\n\ntwo\n' },
    { line: 9, language: 'bash', text: 'three\n' },
  ])
})

test('of a terminal, what was typed in is run', () => {
  const [block] = read('```console', '$ echo one \\', '> two', 'one two', '```')
  assert.equal(block?.text, 'echo one \\\ntwo\n')
})

test('a block is left out with its reason', () => {
  const [block] = read('<!-- not run: needs root -->', '```sh', 'apt-get', '```')
  assert.equal(block?.notRun, 'needs root')
  const [sketch] = read('<!-- not run: a sketch -->', '```ts', 'const a = 1', '```')
  assert.equal(sketch?.notRun, 'a sketch')
})

test('a reason, a block and a known language are asked for', () => {
  const wrong: [RegExp, string[]][] = [
    [/^X\.md:1: 'ts' is not run: put/, ['```ts', '1', '```']],
    [/^X\.md:1: '' is not run: put/, ['```', '1', '```']],
    [/^X\.md:1: a block that is not run has a reason/, ['<!-- not run -->', '```sh', '```']],
    [/^X\.md:1: no block follows/, ['<!-- not run: why -->', '', '```sh', '```']],
    [/^X\.md:1: this block does not end/, ['```sh', 'true']],
  ]
  for (const [message, lines] of wrong) assert.throws(() => read(...lines), { message })
})
