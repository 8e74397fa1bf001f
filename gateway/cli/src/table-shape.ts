import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import Papa from 'papaparse'

export type TableShape = { rows: number; columns: string[] }

/** The rows and the columns of CSV with a header. Read row by row: a table may be large. */
export function shapeOf(body: ReadableStream<Uint8Array>): Promise<TableShape> {
  const shape: TableShape = { rows: -1, columns: [] }
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(Readable.fromWeb(body), {
      skipEmptyLines: true,
      step({ data }) {
        if (shape.rows < 0) shape.columns = data
        shape.rows++
      },
      complete: () => resolve({ ...shape, rows: Math.max(shape.rows, 0) }),
      error: reject,
    })
  })
}
