import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import type { Config } from '../../config.js'
import type { ParquetOptions, ParquetReply } from './parquet-program.js'
import type { ParquetParts } from './parquet-table.js'
import type { Table } from './table.js'

/** Reads Parquet tables in a child process. */
export type ParquetPool = AsyncDisposable & {
  /** Undefined if the file is not valid, or takes too much time or memory. */
  read(parts: ParquetParts, signal: AbortSignal): Promise<Table | undefined>
}

const path = fileURLToPath(new URL('./parquet-program.js', import.meta.url))

export function createParquetPool(cfg: Config): ParquetPool {
  const options: ParquetOptions = {
    memoryBytesMax: cfg.pageParquetMemoryBytesMax,
    rowsMax: cfg.pageTableRowsMax,
  }
  const timeoutMs = cfg.pageParquetTimeoutMs
  const pool = createProcessPool<ParquetParts, ParquetReply>({
    path,
    options,
    concurrency: 1,
    timeoutMs,
  })
  return {
    async read(parts, signal) {
      try {
        return (await pool.ask(parts, signal)).table
      } catch (error) {
        if (error instanceof ChildTimedOut || error instanceof ChildExited) return undefined
        throw error
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
