import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import type { PictureDescriptor } from './describe.js'
import { PictureError } from './picture-error.js'
import type { PictureOptions, PictureReply, PictureRequest } from './picture-program.js'

/** Describes pictures in child processes. */
export type PicturePool = AsyncDisposable & {
  /** `bytes`: a raster picture. `signal` ends the work at once. Throws a PictureError. */
  describe(bytes: Buffer, signal: AbortSignal): Promise<PictureDescriptor>
}

export type PicturePoolOptions = {
  pictureConcurrency: number
  pictureTimeoutMs: number
  /** Limit of width times height. */
  picturePixelsMax: number
  /** Limit of the encoded picture. */
  pictureBytesMax: number
  /** Limit of each child process. */
  pictureMemoryBytesMax: number
}

const path = fileURLToPath(new URL('./picture-program.js', import.meta.url))

export function createPicturePool({
  pictureConcurrency: concurrency,
  pictureTimeoutMs: timeoutMs,
  picturePixelsMax,
  pictureBytesMax,
  pictureMemoryBytesMax: memoryBytesMax,
}: PicturePoolOptions): PicturePool {
  const options: PictureOptions = { memoryBytesMax, limits: { picturePixelsMax, pictureBytesMax } }
  const pool = createProcessPool<PictureRequest, PictureReply>({
    path,
    options,
    concurrency,
    timeoutMs,
  })
  return {
    async describe(bytes, signal) {
      // Checked here, so that nothing large is copied to the child.
      if (bytes.length > pictureBytesMax) throw new PictureError('the picture is too large')
      const reply = await pool.ask({ bytes }, signal).catch((cause: unknown) => {
        throw toPictureError(cause)
      })
      if ('reason' in reply) throw new PictureError(reply.reason)
      const { version, global, local } = reply.descriptor
      return { version, global: Buffer.from(global), local: Buffer.from(local) }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function toPictureError(cause: unknown) {
  if (cause instanceof ChildTimedOut)
    return new PictureError('describing the picture timed out', { cause })
  if (cause instanceof ChildExited)
    return new PictureError('the picture cannot be described', { cause })
  return cause
}
