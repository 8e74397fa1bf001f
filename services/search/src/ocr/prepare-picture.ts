import sharp from 'sharp'
import { OcrError } from './ocr-error.js'

export type PictureLimits = {
  /** Of the picture as it is. Width times height. */
  sourcePixelsMax: number
  /** Of the picture that is read: larger pictures are reduced. */
  pixelsMax: number
}

/** Labels of charts are 10 to 12 pixels high; recognition works best from about 30. */
const enlargement = 3

/**
 * The picture in shades of grey on white, enlarged: as it stands, and turned clockwise, so that the labels of y axes
 * are horizontal. Both as PNG. Throws an OcrError if it is damaged or too large.
 */
export async function preparePicture(
  png: Buffer,
  { sourcePixelsMax, pixelsMax }: PictureLimits,
): Promise<{ upright: Buffer; turned: Buffer }> {
  try {
    const open = () => sharp(png, { limitInputPixels: sourcePixelsMax, failOn: 'error', pages: 1 })
    const { width, height } = await open().metadata()
    const scale = Math.min(enlargement, Math.sqrt(pixelsMax / (width * height)))
    const upright = await open()
      .flatten({ background: 'white' })
      .greyscale()
      .resize(Math.max(1, Math.floor(width * scale)), null, { kernel: 'cubic' })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const turned = await sharp(upright).rotate(90).png({ compressionLevel: 1 }).toBuffer()
    return { upright, turned }
  } catch (cause) {
    throw new OcrError('the picture is damaged or too large', { cause })
  }
}
