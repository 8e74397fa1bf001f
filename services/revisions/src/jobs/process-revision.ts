import { actAs, defineJob, StorageUnavailable, user } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { dataHashOf } from '../domain/data-hash.js'
import { textSourceOf } from '../domain/text-source.js'
import { isFinal } from '../errors.js'
import { type Choice, chooseImage } from '../images/choose.js'
import { thumbnailKey } from '../images/thumbnail-keys.js'
import { listData } from '../queries/data.js'
import {
  type Begun,
  beginProcessing,
  endProcessing,
  type Outcome,
  type Shown,
  uncountAttempt,
} from '../queries/processing.js'
import { activate } from '../upload/activate.js'
import { settleUpdates } from '../upload/apply-update.js'
import { extractText } from './extract-text.js'

/** An image that ends the process gets so many chances. */
const processingAttemptsMax = 3
const activateTimeoutMs = 10_000

type Payload = {
  revisionId: string
  workspaceId: string
  /** Of its creation; absent when that has been shown. */
  silent?: boolean
}

/**
 * Thumbnail and hashes of a revision; tells catalog of what it missed, and has text looked for where there may
 * be some. May run twice.
 */
export const processRevision = defineJob<Ctx, Payload>({
  name: 'process-revision',
  attemptsMax: 25,
  timeoutMs: 5 * 60_000,
  async run(ctx, { revisionId, workspaceId, silent }, signal) {
    const begun = await beginProcessing(ctx.db, revisionId)
    if (!begun) return
    const { revision, bitmapId } =
      begun.is_processing && !begun.is_being_assigned
        ? await processData(ctx, begun, workspaceId, signal).catch((error: unknown) =>
            failed(ctx, revisionId, error),
          )
        : { revision: begun }
    // Last, because by now its creation or update has nearly always done it.
    if (revision && silent !== undefined && !(await ctx.shown.get(revisionId))) {
      await activateLate(ctx, revision, silent)
    }
    await settleUpdates(ctx, revisionId)
    if (isTextWanted(begun, bitmapId)) {
      const options = { key: revisionId, workspaceId }
      await ctx.transact((tx) => ctx.enqueue(tx, extractText, { revisionId, workspaceId }, options))
    }
  },
})

/** An image is not to blame for a store that is away, however long. */
async function failed(ctx: Ctx, id: string, error: unknown): Promise<never> {
  if (error instanceof StorageUnavailable) await ctx.write((db) => uncountAttempt(db, id))
  throw error
}

/** A picture of which nothing is said may be a drawing, unless it was seen to be none. */
const isTextWanted = ({ has_texts, unread }: Begun, bitmapId: string | undefined) =>
  has_texts || unread.some((data) => data.id !== bitmapId && textSourceOf(data))

async function processData(ctx: Ctx, begun: Begun, workspaceId: string, signal: AbortSignal) {
  const {
    id,
    content_version: contentVersion,
    images,
    hashes,
    processing_attempts: attempts,
  } = begun
  const giveUp = attempts > processingAttemptsMax
  const { errors, chosen } = await chooseImage(ctx, images, giveUp, signal)
  const dataHash = await dataHashOf(hashes)
  const outcome = { eventId: ctx.newOrderedId(), workspaceId, contentVersion, dataHash, errors }
  if (!chosen) return { revision: await end(ctx, id, outcome) }
  const key = await store(ctx, id, chosen)
  const { width, height, likeness } = chosen.picture
  const { id: data_id, hash: digest } = chosen.data
  const thumbnail = { data_id, digest, key, width, height, likeness }
  const ended = await end(ctx, id, { ...outcome, thumbnail })
  return { revision: ended, bitmapId: chosen.picture.isDrawn ? undefined : data_id }
}

const end = (ctx: Ctx, id: string, outcome: Outcome) =>
  ctx.write((db) => endProcessing(db, id, outcome), { publishes: true })

/** Null: the thumbnail has no object of its own. */
async function store(ctx: Ctx, id: string, { data, picture }: NonNullable<Choice['chosen']>) {
  if (!picture.png) return null
  const key = thumbnailKey(id, data.hash)
  await ctx.objects.put(key, once(picture.png))
  return key
}

/** Shows a revision whose creation could not. */
export async function activateLate(ctx: Ctx, revision: Shown, silent: boolean): Promise<void> {
  const { id, revision_index: position, created_by: creator } = revision
  const as = { ...actAs(user(creator)), timeoutMs: activateTimeoutMs }
  try {
    const leaves = await listData(ctx.db, id)
    await activate(ctx, { id, position, leaves, silent }, as)
  } catch (error) {
    // Final: the revision was removed again.
    if (!isFinal(error)) throw error
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
