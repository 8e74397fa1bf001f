import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBlocks } from './support/readmes/blocks.js'

const read = (...lines: string[]) => readBlocks('X.md', lines.join('\n'))

test('finds blocks with their first line', () => {
  const blocks = read('a', '```sh', 'one', '', 'two', '```', '- b', '  ~~~bash', '  three', '  ~~~')
  assert.deepEqual(blocks, [
    { document: 'X.md', line: 3, language: 'sh', text: 'one\n\ntwo\n' },
    { document: 'X.md', line: 9, language: 'bash', text: 'three\n' },
  ])
})

test('runs the typed lines of a console block', () => {
  const [block] = read('```console', '$ echo one \\', '> two', 'one two', '```')
  assert.equal(block?.text, 'echo one \\\ntwo\n')
})

test('skips a block with a reason', () => {
  const [block] = read('<!-- not run: needs root -->', '```sh', 'apt-get', '```')
  assert.equal(block?.notRun, 'needs root')
  const [sketch] = read('<!-- not run: a sketch -->', '```ts', 'const a = 1', '```')
  assert.equal(sketch?.notRun, 'a sketch')
})

test('rejects a missing reason, a missing block and an unknown language', () => {
  const wrong: [RegExp, string[]][] = [
    [/^X\.md:1: 'ts' is not run: put/, ['```ts', '1', '```']],
    [/^X\.md:1: '' is not run: put/, ['```', '1', '```']],
    [/^X\.md:1: a skipped block needs a reason/, ['<!-- not run -->', '```sh', '```']],
    [/^X\.md:1: no block follows/, ['<!-- not run: why -->', '', '```sh', '```']],
    [/^X\.md:1: unterminated block/, ['```sh', 'true']],
  ]
  for (const [message, lines] of wrong) assert.throws(() => read(...lines), { message })
})
