import Papa from 'papaparse'

/** The first rows of a table. */
export type Table = { columns: string[]; rows: string[][]; isComplete: boolean }

/** Parses CSV with a header. Of a text that is cut, the last row is left out: it may be incomplete. */
export function parseTable(csv: string, isCut: boolean, rowsMax: number): Table {
  const options = { skipEmptyLines: true, preview: rowsMax + 3 } as const
  const [columns = [], ...rows] = Papa.parse<string[]>(csv, options).data
  const isShort = rows.length < options.preview - 1
  const whole = isCut && isShort ? rows.slice(0, -1) : rows
  return {
    columns,
    rows: whole.slice(0, rowsMax),
    isComplete: !isCut && whole.length <= rowsMax,
  }
}
