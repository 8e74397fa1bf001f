import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, blocksOf, type Run } from './blocks.js'

const textOf = (runs: Run[]) => runs.map(({ text }) => text).join('|')
const paragraphsOf = (block: Block | undefined) =>
  block && 'paragraphs' in block ? block.paragraphs : []
const tableOf = (block: Block | undefined) => (block && 'table' in block ? block.table : undefined)

test('a list has a bullet or a number for each item, also for those with several formats', () => {
  const [block, ...more] = blocksOf('- a **b** c\n  - deep\n\n    again\n- d\n\n3. x\n4. y')
  assert.equal(more.length, 0)
  assert.deepEqual(
    paragraphsOf(block).map(({ runs, item }) => [textOf(runs), item]),
    [
      ['a |b| c', { depth: 0 }],
      ['deep', { depth: 1 }],
      ['again', undefined],
      ['d', { depth: 0 }],
      ['x', { depth: 0, number: 3 }],
      ['y', { depth: 0, number: 4 }],
    ],
  )
})

test('lines of one paragraph and of code stay in one paragraph', () => {
  const [block] = blocksOf('one\\\ntwo\nthree\n\n```\na\n\nb\n```')
  const [text, code] = paragraphsOf(block)
  assert.deepEqual(
    text?.runs.map(({ text, breakBefore }) => [text, breakBefore === true]),
    [
      ['one', false],
      ['two', true],
      [' ', false],
      ['three', false],
    ],
  )
  assert.deepEqual(
    code?.runs.map(({ text, code }) => [text, code]),
    [
      ['a', true],
      ['', true],
      ['b', true],
    ],
  )
})

test('a table is a block of its own between the texts', () => {
  const [before, table, after] = blocksOf(
    '# T\n\n| a | *b* |\n|---|---|\n| 1 |\n| 2 | 3 | 4 |\n\nend',
  )
  assert.equal(paragraphsOf(before)[0]?.kind, 'title')
  assert.deepEqual(
    tableOf(table)?.rows.map((cells) => cells.map(textOf)),
    [
      ['a', 'b'],
      ['1', ''],
      ['2', '3'],
    ],
  )
  assert.equal(textOf(paragraphsOf(after)[0]?.runs ?? []), 'end')
})

test('a large table says what it does not show', () => {
  const line = (of: string) => `|${of.repeat(12)}`
  const [block] = blocksOf([line('h|'), line('-|'), ...Array(25).fill(line('x|'))].join('\n'))
  const table = tableOf(block)
  assert.deepEqual([table?.rows.length, table?.rows[0]?.length], [21, 10])
  assert.deepEqual([table?.rowsMissing, table?.columnsMissing], [5, 2])
})

test('only links of the web stay links', () => {
  const [block] = blocksOf(
    'a [**b** c](https://b.example/?x=1&y="2") [d](ftp://d.example) <http://e.example>',
  )
  assert.deepEqual(
    paragraphsOf(block)[0]?.runs.flatMap(({ text, link }) => (link ? [[text, link]] : [])),
    [
      ['b', 'https://b.example/?x=1&y=%222%22'],
      [' c', 'https://b.example/?x=1&y=%222%22'],
      ['http://e.example', 'http://e.example'],
    ],
  )
})

test('HTML and unsafe links are text, and pictures their description', () => {
  const [block] = blocksOf('<b>x</b> [link](javascript:alert(1)) ![alt](http://a.example/secret)')
  const runs = textOf(paragraphsOf(block)[0]?.runs ?? [])
  assert.ok(runs.includes('<b>x</b>') && runs.includes('alt') && !runs.includes('secret'), runs)
})
