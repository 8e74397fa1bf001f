import {
  type AsyncBuffer,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import type { Table } from './table.js'

/** The beginning and the end of a Parquet file; its columns are at the end. */
export type ParquetParts = { head: Uint8Array; tail: Uint8Array; sizeBytes: number }

/**
 * The columns of a Parquet file, and its first rows if they are in the parts and their compression is supported.
 * Throws for files that are not valid.
 */
export async function parquetTable(parts: ParquetParts, rowsMax: number): Promise<Table> {
  const file = fileOf(parts)
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: parts.tail.length })
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name)
  const rowEnd = Math.min(rowsMax, Number(metadata.num_rows))
  const read = await parquetReadObjects({ file, metadata, rowStart: 0, rowEnd }).catch(() => [])
  const rows = read.map((row) => columns.map((column) => textOf(row[column])))
  return { columns, rows, isComplete: rows.length === Number(metadata.num_rows) }
}

function fileOf({ head, tail, sizeBytes }: ParquetParts): AsyncBuffer {
  return {
    byteLength: sizeBytes,
    async slice(start, end = sizeBytes) {
      const from = start < 0 ? sizeBytes + start : start
      const tailStart = sizeBytes - tail.length
      if (from >= tailStart) return copyOf(tail.subarray(from - tailStart, end - tailStart))
      if (end <= head.length) return copyOf(head.subarray(from, end))
      throw new Error('not in the parts')
    },
  }
}

/** Copied, because the buffer may have other bytes, too. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object') return String(value)
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
}
