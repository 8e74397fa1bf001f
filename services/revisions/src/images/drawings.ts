import { fileURLToPath } from 'node:url'
import { ChildEnded, ChildTimedOut, createDesks } from '@figbase/kit'
import type { DrawingOptions, DrawingReply, DrawingRequest } from './drawing-program.js'
import { type Picture, PictureError, type PictureLimits } from './picture.js'
import type { DrawnFormat } from './picture-format.js'
import type { Renderers } from './renderers.js'

/** SVG, PDF and EPS images, drawn in processes of their own. */
export type Drawings = AsyncDisposable & {
  /**
   * A PNG as `pictureOf` makes it, of the first page. `signal` ends it at once, also while it waits for its
   * turn. Throws a PictureError, also when the drawing took too long, or crashed its process.
   */
  draw(format: DrawnFormat, bytes: Buffer, signal: AbortSignal): Promise<Required<Picture>>
}

export type DrawingsOptions = PictureLimits & {
  drawingsAtATime: number
  drawingMemoryBytesMax: number
}

const path = fileURLToPath(new URL('./drawing-program.js', import.meta.url))

export function createDrawings(
  { drawingsAtATime, drawingMemoryBytesMax, imagePixelsMax, imageTimeoutMs }: DrawingsOptions,
  renderers: Renderers,
): Drawings {
  const limits = { imagePixelsMax, imageTimeoutMs }
  const options: DrawingOptions = { memoryBytesMax: drawingMemoryBytesMax, limits, renderers }
  const desks = createDesks<DrawingRequest, DrawingReply>({
    path,
    options,
    atATime: drawingsAtATime,
    timeoutMs: imageTimeoutMs,
  })
  return {
    async draw(format, bytes, signal) {
      if (format !== 'svg' && !renderers[format]) {
        throw new PictureError(`${format.toUpperCase()} images are not shown by this server`)
      }
      const reply = await desks.ask({ format, bytes }, signal).catch((cause: unknown) => {
        throw whyNot(cause)
      })
      if ('reason' in reply) throw new PictureError(reply.reason)
      return reply.picture
    },
    [Symbol.asyncDispose]: () => desks[Symbol.asyncDispose](),
  }
}

function whyNot(cause: unknown) {
  if (cause instanceof ChildTimedOut) {
    return new PictureError('the image took too long to read', { cause })
  }
  if (cause instanceof ChildEnded)
    return new PictureError('the image could not be drawn', { cause })
  return cause
}
