import { actAs, defineJob, user } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { textSourceOf } from '../domain/text-source.js'
import { isFinal } from '../errors.js'
import { drawAgain, extractText, processRevision } from '../job-names.js'
import { activate } from '../publication/activate.js'
import { settleUpdates } from '../publication/apply-update.js'
import { listData } from '../queries/data.js'
import { type Begun, beginProcessing, type Shown } from '../queries/processing.js'
import { imageEndsProcess, processData } from './process-data.js'

/** An image that ends the process, or a store that does not answer, gets so many chances. */
const attemptsAtPictureMax = 3
const drawAgainAfterMs = 10_000
const activateTimeoutMs = 10_000

/**
 * Thumbnail and hashes of a revision; tells catalog of what it missed, and has text looked for where there may
 * be some. May run twice.
 */
export const processRevisionJob = defineJob({
  ...processRevision,
  timeoutMs: 5 * 60_000,
  async run(ctx: Ctx, { revisionId, workspaceId, silent }, signal) {
    const begun = await beginProcessing(ctx.db, revisionId)
    if (!begun) return
    const { revision, bitmapId } =
      begun.is_processing && !begun.is_being_assigned
        ? await processOnce(ctx, begun, workspaceId, signal)
        : { revision: begun }
    // Last, because by now its creation or update has nearly always done it.
    if (revision && silent !== undefined && !(await ctx.shown.get(revisionId))) {
      await activateLate(ctx, revision, silent)
    }
    if (begun.has_updates) await settleUpdates(ctx, revisionId)
    if (isTextWanted(begun, bitmapId)) {
      const options = { key: revisionId, workspaceId }
      const payload = { revisionId, workspaceId }
      await ctx.write((db) => ctx.enqueue(db, extractText, payload, options), { enqueues: true })
    }
  },
})

/** A picture of which nothing is said may be a drawing, unless it was seen to be none. */
const isTextWanted = ({ has_texts, unread }: Begun, bitmapId: string | undefined) =>
  has_texts || unread.some((data) => data.id !== bitmapId && textSourceOf(data))

/** Ends in any case: without a picture when it was tried often enough. */
async function processOnce(ctx: Ctx, begun: Begun, workspaceId: string, signal: AbortSignal) {
  const { id: revisionId, content_version: contentVersion, processing_attempts: attempts } = begun
  if (attempts > attemptsAtPictureMax) {
    return processData(ctx, begun, workspaceId, signal, imageEndsProcess)
  }
  try {
    return await processData(ctx, begun, workspaceId, signal)
  } catch (err) {
    if (attempts < attemptsAtPictureMax || signal.aborted) throw err
    ctx.log.warn({ err, id: revisionId }, 'the picture is left to a job of its own')
    const payload = { revisionId, workspaceId, contentVersion }
    const runAt = new Date(Date.now() + drawAgainAfterMs)
    const options = { key: revisionId, workspaceId, runAt }
    await ctx.write((db) => ctx.enqueue(db, drawAgain, payload, options), { enqueues: true })
    return processData(ctx, begun, workspaceId, signal, 'the image could not be read')
  }
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
