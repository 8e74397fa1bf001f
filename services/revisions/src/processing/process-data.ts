import type { Ctx } from '../context.js'
import { dataHashOf } from '../domain/data-hash.js'
import { thumbnailKey } from '../domain/object-keys.js'
import { type Choice, chooseImage } from '../images/choose.js'
import { type Begun, endProcessing, type Shown } from '../queries/processing.js'

export type Processed = {
  /** Undefined when the revision is gone or has changed. */
  revision: Shown | undefined
  /** The data object that is shown, if it is a bitmap. */
  bitmapId?: string | undefined
}

/** Why an image has no picture that seems to end each process that looks at it. */
export const imageEndsProcess = 'the image could not be processed'

/** Makes picture and hashes and notes them down, with which the processing ends; `giveUp`: why without a picture. */
export async function processData(
  ctx: Ctx,
  { id, content_version: contentVersion, processing_attempts, images, hashes }: Begun,
  workspaceId: string,
  signal: AbortSignal,
  giveUp?: string,
): Promise<Processed> {
  const { errors, chosen } = await chooseImage(ctx, images, giveUp, signal)
  const dataHash = await dataHashOf(hashes)
  const outcome = {
    eventId: ctx.newOrderedId(),
    workspaceId,
    contentVersion,
    dataHash,
    errors,
    isFirst: contentVersion === 1 && processing_attempts === 1,
    ...(chosen && { thumbnail: await keep(ctx, id, chosen) }),
  }
  const revision = await ctx.write((db) => endProcessing(db, id, outcome), { publishes: true })
  return { revision, bitmapId: chosen?.picture.isDrawn === false ? chosen.data.id : undefined }
}

/** Without an object of its own where the image is shown as it is: then the key is null. */
async function keep(
  ctx: Ctx,
  revisionId: string,
  { data, picture }: NonNullable<Choice['chosen']>,
) {
  const { png, width, height, likeness } = picture
  const key = png ? thumbnailKey(revisionId, data.hash) : null
  if (png && key) await ctx.objects.put(key, once(png))
  return { data_id: data.id, digest: data.hash, key, width, height, likeness }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
