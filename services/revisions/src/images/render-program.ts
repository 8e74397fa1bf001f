import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { type Picture, PictureError, type PictureLimits, pictureOf } from './picture.js'
import type { Renderers } from './renderers.js'
import { runRenderer } from './run-renderer.js'
import { configureSharp } from './sharp.js'
import type { VectorFormat } from './vector-format.js'

/**
 * The program of a child process that renders one image after the other. It is a process because librsvg
 * cannot be interrupted.
 */
export type RenderOptions = {
  memoryBytesMax: number
  limits: PictureLimits
  renderers: Renderers
}
export type RenderRequest = { format: VectorFormat; bytes: Buffer }
export type RenderReply = { picture: Required<Picture> } | { reason: string }

const { memoryBytesMax, limits, renderers } = optionsOfParent<RenderOptions>()

configureSharp(['Svg', 'Png'])
answerParent<RenderRequest, RenderReply>(memoryBytesMax, async ({ format, bytes }) => {
  try {
    return { picture: await pictureOf(await rasterizable(format, bytes), limits) }
  } catch (error) {
    if (error instanceof PictureError) return { reason: error.message }
    throw error
  }
})

const rasterizable = (format: VectorFormat, bytes: Buffer) =>
  format === 'svg' ? bytes : runRenderer(format, bytes, renderers, { ...limits, memoryBytesMax })
