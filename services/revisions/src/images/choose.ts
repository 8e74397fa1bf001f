import type { Ctx } from '../context.js'
import { imageCandidates } from '../domain/candidates.js'
import type { DataWithKey } from '../queries/data.js'
import { type Picture, PictureError, pictureOf } from './picture.js'

export type Choice = {
  /** Why for people, by the id of the data object. */
  errors: Map<string, string>
  chosen?: { data: DataWithKey; picture: Picture }
}

/** The first candidate that can be shown, and why those before it cannot. */
export async function chooseImage(
  ctx: Pick<Ctx, 'cfg' | 'objects' | 'log'>,
  data: DataWithKey[],
  giveUp: boolean,
): Promise<Choice> {
  const errors = new Map<string, string>()
  for (const candidate of imageCandidates(data)) {
    try {
      if (giveUp) throw new PictureError('the image could not be processed')
      const picture = await pictureOf(await read(ctx, candidate), ctx.cfg)
      return { errors, chosen: { data: candidate, picture } }
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      ctx.log.info({ err: error, data: candidate.id }, 'no thumbnail from this image')
      errors.set(candidate.id, error.message)
    }
  }
  return { errors }
}

async function read({ cfg, objects }: Pick<Ctx, 'cfg' | 'objects'>, data: DataWithKey) {
  const size = Number(data.size_bytes)
  if (size > cfg.imageBytesMax) throw new PictureError('the image has too many bytes')
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for await (const chunk of objects.get(data.key)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
