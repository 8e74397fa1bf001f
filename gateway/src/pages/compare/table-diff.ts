import { diffArrays } from 'diff'
import type { Deadline } from '../deadline.js'
import type { Table } from '../tables/table.js'

/** A cell by the number of its row in the newer table, from 1. */
export type Cell = { row: number; column: string; before: string; after: string }
export type TableDiff = {
  addedColumns: string[]
  removedColumns: string[]
  addedRows: number
  removedRows: number
  /** The first ones. */
  cells: Cell[]
  changedCells: number
}

/** More changed rows are compared by their position only. The time grows with their number. */
const changedRowsMax = 2000

/** Compares the columns that both tables have, by name, after aligning rows that did not change. */
export function diffTables(
  before: Table,
  after: Table,
  cellsMax: number,
  deadline: Deadline,
): TableDiff {
  const common = after.columns.filter((column) => before.columns.includes(column))
  const [old, recent] = [before, after].map((table) => rowsOf(table, common)) as [Row[], Row[]]
  const diff: TableDiff = {
    addedColumns: after.columns.filter((column) => !before.columns.includes(column)),
    removedColumns: before.columns.filter((column) => !after.columns.includes(column)),
    addedRows: 0,
    removedRows: 0,
    cells: [],
    changedCells: 0,
  }
  for (const { removed, added, at } of changesOf(old, recent, deadline)) {
    diff.addedRows += Math.max(0, added.length - removed.length)
    diff.removedRows += Math.max(0, removed.length - added.length)
    for (let i = 0; i < Math.min(added.length, removed.length); i++) {
      for (const [n, column] of common.entries()) {
        const [left = '', right = ''] = [removed[i]?.[n], added[i]?.[n]]
        if (left === right) continue
        diff.changedCells++
        if (diff.cells.length < cellsMax)
          diff.cells.push({ row: at + i + 1, column, before: left, after: right })
      }
    }
  }
  return diff
}

type Row = string[]
/** Rows that replace others, from the row `at` of the newer table. */
type Change = { removed: Row[]; added: Row[]; at: number }

function rowsOf({ columns, rows }: Table, common: string[]): Row[] {
  const places = common.map((column) => columns.indexOf(column))
  return rows.map((row) => places.map((place) => row[place] ?? ''))
}

function changesOf(before: Row[], after: Row[], deadline: Deadline): Change[] {
  const keysOf = (rows: Row[]) => rows.map((row) => JSON.stringify(row))
  const options = { timeout: Math.max(1, deadline.leftMs()), maxEditLength: changedRowsMax }
  const parts = diffArrays(keysOf(before), keysOf(after), options)
  if (!parts) return [{ removed: before, added: after, at: 0 }]
  const changes: Change[] = []
  let change: Change = { removed: [], added: [], at: 0 }
  let [left, right] = [0, 0]
  const finish = () => {
    if (change.removed.length > 0 || change.added.length > 0) changes.push(change)
    change = { removed: [], added: [], at: right }
  }
  for (const { added, removed, value } of parts) {
    if (removed) change.removed = before.slice(left, left + value.length)
    else if (added) change.added = after.slice(right, right + value.length)
    if (!added) left += value.length
    if (!removed) right += value.length
    if (!added && !removed) finish()
  }
  finish()
  return changes
}
