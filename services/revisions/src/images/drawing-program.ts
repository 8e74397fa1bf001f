import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { type Picture, PictureError, type PictureLimits, pictureOf } from './picture.js'
import type { DrawnFormat } from './picture-format.js'
import { render } from './render.js'
import type { Renderers } from './renderers.js'
import { configureSharp } from './sharp.js'

/**
 * The program of a process that draws for its parent, one image after the other. Nothing but its end
 * interrupts librsvg.
 */
export type DrawingOptions = {
  memoryBytesMax: number
  limits: PictureLimits
  renderers: Renderers
}
export type DrawingRequest = { format: DrawnFormat; bytes: Buffer }
export type DrawingReply = { picture: Required<Picture> } | { reason: string }

const { memoryBytesMax, limits, renderers } = optionsOfParent<DrawingOptions>()

configureSharp(['Svg', 'Png'])
answerParent<DrawingRequest, DrawingReply>(memoryBytesMax, async ({ format, bytes }) => {
  try {
    return { picture: await pictureOf(await drawn(format, bytes), limits) }
  } catch (error) {
    if (error instanceof PictureError) return { reason: error.message }
    throw error
  }
})

const drawn = (format: DrawnFormat, bytes: Buffer) =>
  format === 'svg' ? bytes : render(format, bytes, renderers, { ...limits, memoryBytesMax })
