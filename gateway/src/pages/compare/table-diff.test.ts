import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadlineIn } from '../deadline.js'
import { parseTable } from '../tables/table.js'
import { diffTables } from './table-diff.js'

const table = (csv: string) => parseTable(csv, false, 100_000)
const diff = (before: string, after: string, cellsMax = 10) =>
  diffTables(table(before), table(after), cellsMax, deadlineIn(5000))
const none = {
  addedColumns: [],
  removedColumns: [],
  addedRows: 0,
  removedRows: 0,
  cells: [],
  changedCells: 0,
}

test('finds changed cells by row and column', () => {
  assert.deepEqual(diff('a,b\n1,2\n3,4\n', 'a,b\n1,2\n3,5\n'), {
    ...none,
    cells: [{ row: 2, column: 'b', before: '4', after: '5' }],
    changedCells: 1,
  })
  assert.deepEqual(diff('a,b\n1,2\n', 'a,b\n1,2\n'), none)
})

test('an added or removed row does not change the others', () => {
  const added = diff('a\n1\n2\n3\n', 'a\n0\n1\n2\n3\n')
  assert.deepEqual(added, { ...none, addedRows: 1 })
  assert.deepEqual(diff('a\n1\n2\n3\n', 'a\n1\n3\n'), { ...none, removedRows: 1 })
  assert.deepEqual(diff('a\n', 'a\n1\n2\n'), { ...none, addedRows: 2 })
})

test('compares the columns that both have, in any order', () => {
  const found = diff('a,b,c\n1,2,3\n', 'c,d,a\n3,9,7\n')
  assert.deepEqual(found, {
    ...none,
    addedColumns: ['d'],
    removedColumns: ['b'],
    cells: [{ row: 1, column: 'a', before: '1', after: '7' }],
    changedCells: 1,
  })
})

test('lists the first changed cells, and counts all', () => {
  const rows = (value: string) => `a\n${Array.from({ length: 50 }, (_, i) => value + i).join('\n')}`
  const found = diff(rows('x'), rows('y'), 3)
  assert.deepEqual(
    found.cells.map(({ row }) => row),
    [1, 2, 3],
  )
  assert.equal(found.changedCells, 50)
})

test('compares many changed rows by their position', () => {
  const rows = (seed: number) =>
    `a\n${Array.from({ length: 20_000 }, (_, i) => (i * seed) % 9973).join('\n')}`
  const begun = performance.now()
  const found = diffTables(table(rows(7)), table(rows(11)), 5, deadlineIn(50))
  assert.ok(performance.now() - begun < 3000)
  assert.ok(found.changedCells > 19_000)
  assert.deepEqual(found.cells[0], { row: 2, column: 'a', before: '7', after: '11' })
})

test('short and hostile rows are compared, too', () => {
  const found = diff('a,__proto__\n1\n', 'a,__proto__\n1,<b>\n')
  assert.deepEqual(found.cells, [{ row: 1, column: '__proto__', before: '', after: '<b>' }])
})
