import { defineJob, type Job } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { OcrError } from '../ocr/ocr-error.js'
import { pictureVersion } from '../pictures/describe.js'
import { PictureError } from '../pictures/picture-error.js'
import { insertChanges } from '../queries/changes.js'
import { findPicture, savePicture } from '../queries/likenesses.js'
import { type LikenessJob, readPictureName } from './likeness-names.js'

/**
 * Describes the picture of a figure revision, and reads the text off it. A picture that makes one of them fail is
 * recorded, and not tried again.
 */
export const readPicture: Job<Ctx, LikenessJob> = defineJob<Ctx, LikenessJob>({
  ...readPictureName,
  timeoutMs: 180_000,
  concurrencyMax: 2,
  async run(ctx, { id }, signal) {
    const picture = await findPicture(ctx.db, id)
    if (!picture) return
    const request = { groups: [{ revisionIds: [id] }], sizePx: 0 }
    const { pngs } = await ctx.revisions.readThumbnails(request, { ...actAsSystem(), signal })
    const png = Buffer.from(pngs[0] ?? [])
    const problems: string[] = []
    const recorded = async <T>(work: Promise<T>): Promise<T | undefined> => {
      try {
        return await work
      } catch (error) {
        if (!(error instanceof PictureError || error instanceof OcrError)) throw error
        problems.push(error.message)
        return undefined
      }
    }
    const { ocr, pictures } = await ctx.similar
    const isThere = png.length > 0
    const descriptor = isThere ? await recorded(pictures.indexing.describe(png, signal)) : undefined
    const text = isThere && ocr ? await recorded(ocr.read(png, signal)) : undefined
    await savePicture(ctx.db, {
      id,
      picture,
      version: pictureVersion,
      global: descriptor?.global ?? null,
      local: descriptor?.local ?? null,
      text: text?.replaceAll('\0', ' ') ?? '',
      problem: problems.join('; ') || null,
    })
    if (!text) return
    await insertChanges(ctx.db, [id])
    ctx.indexer.wake()
  },
})
