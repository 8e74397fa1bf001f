import { defineJob, type Job } from '@figbase/kit/jobs'
import { ChildTimedOut } from '@figbase/kit/processes'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { OcrError } from '../ocr/ocr-error.js'
import { pictureVersion } from '../pictures/describe.js'
import { PictureError } from '../pictures/picture-error.js'
import { insertChanges } from '../queries/changes.js'
import { findPicture, type ReadPicture, savePicture } from '../queries/likenesses.js'
import { type LikenessJob, readPictureAgainName, readPictureName } from './likeness-names.js'

const common = { timeoutMs: 180_000, concurrencyMax: 2 }

/**
 * Describes the picture of a figure revision, and reads the text off it. A picture that makes one of them fail is
 * recorded, and not tried again, unless the time was over: then it is tried once more, later.
 */
export const readPicture: Job<Ctx, LikenessJob> = defineJob<Ctx, LikenessJob>({
  ...readPictureName,
  ...common,
  async run(ctx, { id }, signal) {
    const read = await readPictureOf(ctx, id, signal)
    if (!read) return
    await ctx.transact(async (tx) => {
      await savePicture(tx, read.picture)
      if (!read.isTimedOut) return
      const runAt = new Date(Date.now() + ctx.cfg.pictures.pictureRetryDelayMs)
      await ctx.enqueue(tx, readPictureAgainName, { id }, { key: id, runAt })
    })
    await indexText(ctx, read.picture)
  },
})

export const readPictureAgain: Job<Ctx, LikenessJob> = defineJob<Ctx, LikenessJob>({
  ...readPictureAgainName,
  ...common,
  async run(ctx, { id }, signal) {
    const read = await readPictureOf(ctx, id, signal)
    if (!read) return
    await savePicture(ctx.db, read.picture)
    await indexText(ctx, read.picture)
  },
})

async function readPictureOf(ctx: Ctx, id: string, signal: AbortSignal) {
  const picture = await findPicture(ctx.db, id)
  if (!picture) return undefined
  const request = { groups: [{ revisionIds: [id] }], sizePx: 0 }
  const { pngs } = await ctx.revisions.readThumbnails(request, { ...actAsSystem(), signal })
  const png = Buffer.from(pngs[0] ?? [])
  const problems: string[] = []
  let isTimedOut = false
  const recorded = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof PictureError || error instanceof OcrError)) throw error
      problems.push(error.message)
      isTimedOut ||= error.cause instanceof ChildTimedOut
      return undefined
    }
  }
  const { ocr, describing } = await ctx.similar
  const isThere = png.length > 0
  const descriptor = isThere ? await recorded(describing.indexing.describe(png, signal)) : undefined
  const text = isThere && ocr ? await recorded(ocr.read(png, signal)) : undefined
  const read: ReadPicture = {
    id,
    picture,
    version: pictureVersion,
    global: descriptor?.global ?? null,
    local: descriptor?.local ?? null,
    text: text?.replaceAll('\0', ' ') ?? '',
    problem: problems.join('; ') || null,
  }
  return { picture: read, isTimedOut }
}

/** The text of a picture is indexed with the words of its revision. */
async function indexText(ctx: Ctx, { id, text }: ReadPicture) {
  if (!text) return
  await insertChanges(ctx.db, [id])
  ctx.indexer.wake()
}
