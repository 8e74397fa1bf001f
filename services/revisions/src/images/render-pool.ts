import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import { type Picture, PictureError, type PictureLimits } from './picture.js'
import type { RenderOptions, RenderReply, RenderRequest } from './render-program.js'
import type { Renderers } from './renderers.js'
import type { VectorFormat } from './vector-format.js'

/** Renders SVG, PDF and EPS images in child processes. */
export type RenderPool = AsyncDisposable & {
  /**
   * The first page as a PNG, as from `pictureOf`. `signal` ends the rendering at once, also while it is
   * queued. `timeoutMsMax` may shorten its timeout. Throws a PictureError, also when the rendering times out or its
   * process crashes.
   */
  render(
    format: VectorFormat,
    bytes: Buffer,
    signal: AbortSignal,
    timeoutMsMax?: number,
  ): Promise<Required<Picture>>
}

export type RenderPoolOptions = PictureLimits & {
  renderConcurrency: number
  childMemoryBytesMax: number
}

const path = fileURLToPath(new URL('./render-program.js', import.meta.url))

export function createRenderPool(
  { renderConcurrency, childMemoryBytesMax, imagePixelsMax, imageTimeoutMs }: RenderPoolOptions,
  renderers: Renderers,
): RenderPool {
  const limits = { imagePixelsMax, imageTimeoutMs }
  const options: RenderOptions = { memoryBytesMax: childMemoryBytesMax, limits, renderers }
  const pool = createProcessPool<RenderRequest, RenderReply>({
    path,
    options,
    concurrency: renderConcurrency,
    timeoutMs: imageTimeoutMs,
  })
  return {
    async render(format, bytes, signal, timeoutMsMax) {
      if (format !== 'svg' && !renderers[format]) {
        throw new PictureError(
          `rendering ${format.toUpperCase()} images is not supported by this server`,
        )
      }
      const reply = await pool
        .ask({ format, bytes }, signal, timeoutMsMax)
        .catch((cause: unknown) => {
          throw toPictureError(cause)
        })
      if ('reason' in reply) throw new PictureError(reply.reason)
      return reply.picture
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function toPictureError(cause: unknown) {
  if (cause instanceof ChildTimedOut) {
    return new PictureError('processing the image timed out', { cause })
  }
  if (cause instanceof ChildExited)
    return new PictureError('the image could not be rendered', { cause })
  return cause
}
