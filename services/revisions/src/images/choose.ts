import type { Ctx } from '../context.js'
import { imageCandidates } from '../domain/candidates.js'
import type { ImageData } from '../queries/processing.js'
import { likenessOf } from './likeness.js'
import { type Picture, PictureError, pictureOf } from './picture.js'
import { drawnFormat } from './picture-format.js'
import { wholePng } from './whole-png.js'

export type Choice = {
  /** Why for people, by the id of the data object. */
  errors: Map<string, string>
  chosen?: { data: ImageData; picture: Seen }
}

/** A picture with what else is known of it. */
type Seen = Picture & {
  likeness: bigint
  /** It was drawn of something that may have text. */
  isDrawn: boolean
}

/** The first candidate that can be shown, and why those before it cannot; `giveUp`: why none can. */
export async function chooseImage(
  ctx: Pick<Ctx, 'cfg' | 'stores' | 'drawings' | 'log'>,
  images: ImageData[],
  giveUp: string | undefined,
  signal: AbortSignal,
): Promise<Choice> {
  const errors = new Map<string, string>()
  for (const candidate of imageCandidates(images).slice(0, ctx.cfg.imagesTriedMax)) {
    try {
      if (giveUp) throw new PictureError(giveUp)
      const picture = await show(ctx, await read(ctx, candidate), candidate, signal)
      return { errors, chosen: { data: candidate, picture } }
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      ctx.log.info({ err: error, data: candidate.id }, 'no thumbnail from this image')
      errors.set(candidate.id, error.message)
    }
  }
  return { errors }
}

async function show(
  { cfg, drawings }: Pick<Ctx, 'cfg' | 'drawings'>,
  bytes: Buffer,
  data: ImageData,
  signal: AbortSignal,
): Promise<Seen> {
  const format = drawnFormat(bytes)
  if (format) return likened(await drawings.draw(format, bytes, signal), true)
  // The bytes of clean-room data are never handed out as a thumbnail.
  const whole = data.is_clean_room ? undefined : await wholePng(bytes, cfg)
  return whole ? { ...whole, isDrawn: false } : likened(await pictureOf(bytes, cfg), false)
}

const likened = async (picture: Required<Picture>, isDrawn: boolean): Promise<Seen> => ({
  ...picture,
  isDrawn,
  likeness: await likenessOf(picture.png),
})

async function read({ cfg, stores }: Pick<Ctx, 'cfg' | 'stores'>, data: ImageData) {
  const size = data.size_bytes
  if (size > cfg.imageBytesMax) throw new PictureError('the image has too many bytes')
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for await (const chunk of stores.of(data.storage).get(data.key)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
