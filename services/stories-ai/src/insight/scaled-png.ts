import sharp from 'sharp'

const pixelsMax = 2 ** 26

/** A PNG that fits a square of `sizePx`. Fails if the bytes cannot be decoded. */
export const scaledPng = (png: Uint8Array, sizePx: number): Promise<Uint8Array> =>
  sharp(png, { limitInputPixels: pixelsMax })
    .resize(sizePx, sizePx, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
