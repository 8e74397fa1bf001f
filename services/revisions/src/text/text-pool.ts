import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import { TextError } from './text-error.js'
import type { TextFormat, TextOptions, TextReply, TextRequest } from './text-program.js'

/** Extracts text from drawings, documents and tables in child processes. */
export type TextPool = AsyncDisposable & {
  /** `bytes` of a Parquet file are its footer. `signal` ends the extraction at once. Throws a TextError. */
  extract(format: TextFormat, bytes: Buffer, signal: AbortSignal): Promise<string>
}

export type TextPoolOptions = {
  textConcurrency: number
  textTimeoutMs: number
  textBytesMax: number
  textSourceBytesMax: number
  childMemoryBytesMax: number
}

const path = fileURLToPath(new URL('./text-program.js', import.meta.url))

export function createTextPool({
  textConcurrency: concurrency,
  textTimeoutMs: timeoutMs,
  textBytesMax,
  textSourceBytesMax: sourceBytesMax,
  childMemoryBytesMax: memoryBytesMax,
}: TextPoolOptions): TextPool {
  const limits = { textBytesMax, sourceBytesMax, timeoutMs }
  const options: TextOptions = { memoryBytesMax, limits }
  const pool = createProcessPool<TextRequest, TextReply>({ path, options, concurrency, timeoutMs })
  return {
    async extract(format, bytes, signal) {
      const reply = await pool.ask({ format, bytes }, signal).catch((cause: unknown) => {
        throw toTextError(cause)
      })
      if ('reason' in reply) throw new TextError(reply.reason)
      return reply.text
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function toTextError(cause: unknown) {
  if (cause instanceof ChildTimedOut) return new TextError('text extraction timed out', { cause })
  if (cause instanceof ChildExited) return new TextError('text extraction failed', { cause })
  return cause
}
