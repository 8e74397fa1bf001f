import { fileURLToPath } from 'node:url'
import { ChildEnded, ChildTimedOut, createDesks } from '@figbase/kit'
import { TextError } from './text-error.js'
import type { TextFormat, TextOptions, TextReply, TextRequest } from './text-program.js'

/** What programs and people wrote into drawings, documents and tables, read in processes of their own. */
export type Texts = AsyncDisposable & {
  /** Of a Parquet file, its end. Throws a TextError; `signal` ends it at once. */
  read(format: TextFormat, bytes: Buffer, signal: AbortSignal): Promise<string>
}

export type TextsOptions = {
  textsAtATime: number
  textTimeoutMs: number
  textBytesMax: number
  textSourceBytesMax: number
  drawingMemoryBytesMax: number
}

const path = fileURLToPath(new URL('./text-program.js', import.meta.url))

export function createTexts({
  textsAtATime: atATime,
  textTimeoutMs: timeoutMs,
  textBytesMax,
  textSourceBytesMax: sourceBytesMax,
  drawingMemoryBytesMax: memoryBytesMax,
}: TextsOptions): Texts {
  const limits = { textBytesMax, sourceBytesMax, timeoutMs }
  const options: TextOptions = { memoryBytesMax, limits }
  const desks = createDesks<TextRequest, TextReply>({ path, options, atATime, timeoutMs })
  return {
    async read(format, bytes, signal) {
      const reply = await desks.ask({ format, bytes }, signal).catch((cause: unknown) => {
        throw whyNot(cause)
      })
      if ('reason' in reply) throw new TextError(reply.reason)
      return reply.text
    },
    [Symbol.asyncDispose]: () => desks[Symbol.asyncDispose](),
  }
}

function whyNot(cause: unknown) {
  if (cause instanceof ChildTimedOut) return new TextError('it took too long to read', { cause })
  if (cause instanceof ChildEnded) return new TextError('it could not be read', { cause })
  return cause
}
