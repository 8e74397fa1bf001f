import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import papaparse from 'papaparse'

export const csvType = 'text/csv'
export const csvContentType = `${csvType}; charset=utf-8`
const types = ['application/json', csvType, csvContentType]

/** Whether `Accept` prefers CSV to JSON. */
export function wantsCsv({ accept }: IncomingHttpHeaders): boolean {
  const preferred = new Negotiator({ headers: { accept } }).mediaType(types)
  return preferred !== undefined && preferred !== types[0]
}

const newline = '\r\n'

/** A table as CSV (RFC 4180): the names of the columns, then each row. */
export async function* csvOf<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Record<Column, string | number>> | Iterable<Record<Column, string | number>>,
): AsyncGenerator<string> {
  yield lineOf(columns)
  for await (const row of rows) yield lineOf(columns.map((column) => row[column]))
}

/** Texts that a spreadsheet would run as formulas begin with an apostrophe. */
const lineOf = (cells: readonly (string | number)[]) =>
  papaparse.unparse([[...cells]], { escapeFormulae: true, newline }) + newline
