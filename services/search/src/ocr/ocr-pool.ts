import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import { OcrError } from './ocr-error.js'
import type { OcrOptions, OcrReply, OcrRequest } from './ocr-program.js'

/** Reads the text off pictures, horizontal and upwards, in child processes. */
export type OcrPool = AsyncDisposable & {
  /**
   * The recognized lines of a PNG, separated by line breaks; empty if there is
   * no text. `signal` ends the recognition at once. Throws an OcrError with a plain reason.
   */
  read(png: Buffer, signal: AbortSignal): Promise<string>
}

export type OcrPoolOptions = {
  ocrConcurrency: number
  ocrTimeoutMs: number
  ocrMemoryBytesMax: number
  ocrSourcePixelsMax: number
  ocrPixelsMax: number
  /** 0 to 100. */
  ocrConfidenceMin: number
  ocrTextCharsMax: number
}

const path = fileURLToPath(new URL('./ocr-program.js', import.meta.url))

export function createOcrPool(settings: OcrPoolOptions): OcrPool {
  const options: OcrOptions = {
    memoryBytesMax: settings.ocrMemoryBytesMax,
    limits: {
      sourcePixelsMax: settings.ocrSourcePixelsMax,
      pixelsMax: settings.ocrPixelsMax,
      confidenceMin: settings.ocrConfidenceMin,
      textCharsMax: settings.ocrTextCharsMax,
    },
  }
  const { ocrConcurrency: concurrency, ocrTimeoutMs: timeoutMs } = settings
  const pool = createProcessPool<OcrRequest, OcrReply>({ path, options, concurrency, timeoutMs })
  return {
    async read(png, signal) {
      const reply = await pool.ask({ png }, signal).catch((cause: unknown) => {
        throw toOcrError(cause)
      })
      if ('reason' in reply) throw new OcrError(reply.reason)
      return reply.text
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function toOcrError(cause: unknown) {
  if (cause instanceof ChildTimedOut) return new OcrError('text recognition timed out', { cause })
  if (cause instanceof ChildExited) return new OcrError('text recognition failed', { cause })
  return cause
}
