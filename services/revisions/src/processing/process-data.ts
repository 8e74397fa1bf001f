import type { Ctx } from '../context.js'
import { dataHashOf } from '../domain/data-hash.js'
import { thumbnailKey } from '../domain/object-keys.js'
import { type ChosenImage, chooseImage } from '../images/choose.js'
import { endProcessing, type ProcessingInput, type RevisionRef } from '../queries/processing.js'

export type Processed = {
  /** Undefined if the revision is gone or has changed. */
  revision: RevisionRef | undefined
  /** The data object that the thumbnail shows, if it is a bitmap. */
  bitmapId?: string | undefined
}

/** The error of an image that seems to crash every process that decodes it. */
export const imageCrashReason = 'the image could not be processed'

/** Creates the picture and the hashes, and ends the processing. `skipReason` ends it without a picture. */
export async function processData(
  ctx: Ctx,
  { id, content_version: contentVersion, processing_attempts, images, hashes }: ProcessingInput,
  workspaceId: string,
  signal: AbortSignal,
  skipReason?: string,
): Promise<Processed> {
  const { errors, chosen } = await chooseImage(ctx, images, skipReason, signal)
  const dataHash = await dataHashOf(hashes)
  const outcome = {
    eventId: ctx.newOrderedId(),
    workspaceId,
    contentVersion,
    dataHash,
    errors,
    isFirst: contentVersion === 1 && processing_attempts === 1,
    ...(chosen && { thumbnail: await saveThumbnail(ctx, id, chosen) }),
  }
  const revision = await ctx.write((db) => endProcessing(db, id, outcome), { publishes: true })
  return { revision, bitmapId: chosen?.picture.isVector === false ? chosen.data.id : undefined }
}

/** Without an object if the image itself is the thumbnail: the key is then null. */
async function saveThumbnail(ctx: Ctx, revisionId: string, { data, picture }: ChosenImage) {
  const { png, width, height, likeness } = picture
  const key = png ? thumbnailKey(revisionId, data.hash) : null
  if (png && key) await ctx.objects.put(key, once(png))
  return { data_id: data.id, digest: data.hash, key, width, height, likeness }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
