import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { type ParquetParts, parquetTable } from './parquet-table.js'
import type { Table } from './table.js'

/** The program of a child process that reads one Parquet table after the other: its pages may be compressed bombs. */
export type ParquetOptions = { memoryBytesMax: number; rowsMax: number }
/** Without a table if the file is not valid. */
export type ParquetReply = { table?: Table }

const { memoryBytesMax, rowsMax } = optionsOfParent<ParquetOptions>()

answerParent<ParquetParts, ParquetReply>(memoryBytesMax, async (parts) => {
  try {
    return { table: await parquetTable(parts, rowsMax) }
  } catch {
    return {}
  }
})
