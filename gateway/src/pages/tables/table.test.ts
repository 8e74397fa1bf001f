import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsOf } from '../../texts/texts.js'
import { columnType } from './column-type.js'
import { parseTable } from './table.js'
import { tableHtml } from './table-html.js'

test('parses the first rows', () => {
  const csv = 'a,b\n1,"x, y"\n2,"two\nlines"\n3,z\n'
  assert.deepEqual(parseTable(csv, false, 10), {
    columns: ['a', 'b'],
    rows: [
      ['1', 'x, y'],
      ['2', 'two\nlines'],
      ['3', 'z'],
    ],
    isComplete: true,
  })
  const first = parseTable(csv, false, 2)
  assert.deepEqual([first.rows.length, first.isComplete], [2, false])
  assert.equal(parseTable(csv, false, 3).isComplete, true)
})

test('leaves out the last row of a text that is cut', () => {
  const cut = parseTable('a\n1\n2\n30', true, 10)
  assert.deepEqual(cut, { columns: ['a'], rows: [['1'], ['2']], isComplete: false })
  assert.deepEqual(parseTable('a\n1\n2\n3\n4\n5', true, 2).rows, [['1'], ['2']])
  assert.deepEqual(parseTable('', false, 2), { columns: [], rows: [], isComplete: true })
})

test('finds the types of columns', () => {
  for (const [values, type] of [
    [['1', '-2.5', '1e5', '', 'NaN', 'NA', '.5'], 'number'],
    [['2026-11-26', '2026-11-26T10:00:00Z', '2026-11-26 10:00'], 'date'],
    [['true', 'False'], 'boolean'],
    [['1', 'x'], 'text'],
    [['', ''], 'text'],
    [['1,5'], 'text'],
  ] as const) {
    assert.equal(columnType([...values]), type, values.join())
  }
})

test('shows a table with few columns and short cells, escaped', () => {
  const texts = textsOf({ headers: {} })
  const wide = Array.from({ length: 70 }, (_, i) => `column ${i}`)
  const cells = wide.map((_, i) => (i === 0 ? '<script>' : 'x'.repeat(500)))
  const shown = tableHtml(texts, 'a"b', { columns: wide, rows: [cells], isComplete: false })
  const markup = shown.toString()
  assert.equal(markup.match(/<th /g)?.length, 50)
  assert.match(markup, /<td>&lt;script&gt;<\/td>/)
  assert.match(markup, /aria-label="a&quot;b"/)
  assert.doesNotMatch(markup, /x{201}/)
  assert.match(markup, /The first 50 of 70 columns\./)
  assert.match(markup, /The first row of this table\./)
})
