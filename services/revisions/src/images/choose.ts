import type { Ctx } from '../context.js'
import { imageCandidates } from '../domain/candidates.js'
import type { ImageData } from '../queries/processing.js'
import { imageHash } from './image-hash.js'
import { type Picture, PictureError, pictureOf } from './picture.js'
import { usablePng } from './usable-png.js'
import { vectorFormatOf } from './vector-format.js'

export type ChosenImage = { data: ImageData; picture: HashedPicture }

export type Choice = {
  /** Reasons to show to users, by the id of the data object. */
  errors: Map<string, string>
  chosen?: ChosenImage
}

type HashedPicture = Picture & {
  likeness: bigint
  /** Rendered from a vector format, so it may have text. */
  isVector: boolean
}

/**
 * The first candidate that can be decoded, and why those before it cannot. `skipReason` rejects all of
 * them.
 */
export async function chooseImage(
  ctx: Pick<Ctx, 'cfg' | 'stores' | 'renderPool' | 'imageLimit' | 'log'>,
  images: ImageData[],
  skipReason: string | undefined,
  signal: AbortSignal,
): Promise<Choice> {
  const errors = new Map<string, string>()
  for (const candidate of imageCandidates(images).slice(0, ctx.cfg.imagesTriedMax)) {
    try {
      if (skipReason) throw new PictureError(skipReason)
      const picture = await ctx.imageLimit(async () => {
        signal.throwIfAborted()
        return renderImage(ctx, await read(ctx, candidate), candidate, signal)
      })
      return { errors, chosen: { data: candidate, picture } }
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      ctx.log.info({ err: error, data: candidate.id }, 'making a thumbnail failed')
      errors.set(candidate.id, error.message)
    }
  }
  return { errors }
}

async function renderImage(
  { cfg, renderPool }: Pick<Ctx, 'cfg' | 'renderPool'>,
  bytes: Buffer,
  data: ImageData,
  signal: AbortSignal,
): Promise<HashedPicture> {
  const format = vectorFormatOf(bytes)
  if (format) return withHash(await renderPool.render(format, bytes, signal), true)
  // The bytes of clean-room data are never served as a thumbnail.
  const whole = data.is_clean_room ? undefined : await usablePng(bytes, cfg)
  return whole ? { ...whole, isVector: false } : withHash(await pictureOf(bytes, cfg), false)
}

const withHash = async (picture: Required<Picture>, isVector: boolean): Promise<HashedPicture> => ({
  ...picture,
  isVector,
  likeness: await imageHash(picture.png),
})

/** The picture of a chosen image. */
export const pngOf = async (
  ctx: Pick<Ctx, 'cfg' | 'stores'>,
  { data, picture }: ChosenImage,
): Promise<Buffer> => picture.png ?? read(ctx, data)

async function read({ cfg, stores }: Pick<Ctx, 'cfg' | 'stores'>, data: ImageData) {
  const size = data.size_bytes
  if (size > cfg.imageBytesMax) throw new PictureError('the image is too large')
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for await (const chunk of stores.of(data.storage).get(data.key)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
