import sharp from 'sharp'
import type { Grey } from './grey.js'
import { PictureError } from './picture-error.js'

export type DecodeLimits = {
  /** Limit of width times height. */
  picturePixelsMax: number
  /** Limit of the encoded picture. */
  pictureBytesMax: number
}

/** Longer side of the working picture, in pixels. */
const sidePx = 512
/** The mean brightness from which the visible part of a transparent picture counts as light. */
const lightFrom = 170

/**
 * Decodes the first frame to brightness, at most 512 pixels wide and high. A transparent picture lies on white, or on
 * black if its visible part is light. Throws a PictureError.
 */
export async function decodePicture(input: Buffer, limits: DecodeLimits): Promise<Grey> {
  if (input.length > limits.pictureBytesMax) throw new PictureError('the picture is too large')
  const { data, info } = await readPixels(input, limits.picturePixelsMax)
  const { width, height, channels } = info
  const grey: Grey = { width, height, data: new Float32Array(width * height) }
  const background = channels === 1 ? 255 : backgroundFor(data)
  for (let i = 0, at = 0; i < grey.data.length; i++, at += channels) {
    const alpha = channels === 1 ? 1 : (data[at + 1] as number) / 255
    grey.data[i] = alpha * (data[at] as number) + (1 - alpha) * background
  }
  return grey
}

/** Brightness, and alpha of a transparent picture: one byte each for every pixel. */
async function readPixels(input: Buffer, limitInputPixels: number) {
  try {
    return await sharp(input, { failOn: 'error', limitInputPixels, pages: 1 })
      .autoOrient()
      .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
  } catch (cause) {
    throw new PictureError(reasonOf(cause), { cause })
  }
}

/** The background of pixels with brightness and alpha. */
function backgroundFor(data: Buffer) {
  let sum = 0
  let weight = 0
  for (let at = 0; at < data.length; at += 2) {
    const alpha = data[at + 1] as number
    sum += alpha * (data[at] as number)
    weight += alpha
  }
  const isTransparent = weight < (255 * data.length) / 2
  return isTransparent && sum > lightFrom * weight ? 0 : 255
}

function reasonOf(error: unknown) {
  const text = error instanceof Error ? error.message : ''
  if (/unsupported image format|corrupt header/i.test(text)) return 'unsupported or invalid picture'
  if (/pixel limit|too large/i.test(text)) return 'the picture has too many pixels'
  return 'the picture is damaged'
}
