import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTable } from './describe-table.js'

test('a table is its columns with their types, and its first rows', () => {
  const csv =
    'day;count;mean;ok;who;gone\n2024-01-01;1;0.5;true;a;\n2024-01-02;NA;1e3;false;"b\nc";\n'
  assert.equal(
    describeTable(csv, true),
    `columns:
- day (date)
- count (integer)
- mean (number)
- ok (boolean)
- who (text)
- gone (empty)
first rows:
2024-01-01 | 1 | 0.5 | true | a | 
2024-01-02 | NA | 1e3 | false | b c | `,
  )
})

test('a row that the end of the head cuts is left out', () => {
  assert.match(describeTable('a,b\n1,2\n3,', false) ?? '', /a \(integer\)[\s\S]*1 \| 2$/)
  assert.match(describeTable('a,b\n1,2\n3,x', true) ?? '', /b \(text\)/)
})

test('a table without names has numbered columns', () => {
  assert.match(describeTable('1,2\n3,4', true) ?? '', /- column 1 \(integer\)/)
})

test('many columns and long cells are bounded', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `c${index}`.padEnd(500, 'x'))
  const text = describeTable(`${names.join(',')}\n`, true) ?? ''
  assert.match(text, /and 4800 more columns/)
  assert.ok(text.length < 30_000)
})

test('text without columns is no table', () => {
  for (const text of ['', 'one\ntwo', '{"a": 1}'])
    assert.equal(describeTable(text, true), undefined)
})
