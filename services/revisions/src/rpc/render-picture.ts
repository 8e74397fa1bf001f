import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import { PictureError, pictureOf, resized } from '../images/picture.js'
import { vectorFormatOf } from '../images/vector-format.js'
import type { Impl } from '../routes.js'
import { checkSize } from './thumbnail-size.js'

export function renderPicture({ cfg, renderPool }: Ctx): Impl['renderPicture'] {
  return async ({ image, sizePx }, call) => {
    checkSize(sizePx)
    const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
    const format = vectorFormatOf(bytes)
    // Less than the caller waits, so that it learns that the picture takes too long.
    const imageTimeoutMs = Math.min(cfg.imageTimeoutMs, (call.timeoutMs() ?? Infinity) / 2)
    try {
      const { png, width, height } = format
        ? await renderPool.render(format, bytes, call.signal, imageTimeoutMs)
        : await pictureOf(bytes, { ...cfg, imageTimeoutMs })
      const isLarger = sizePx > 0 && Math.max(width, height) > sizePx
      return { png: isLarger ? await resized(png, sizePx) : png }
    } catch (error) {
      if (error instanceof PictureError) throw invalid('image', error.message)
      throw error
    }
  }
}
