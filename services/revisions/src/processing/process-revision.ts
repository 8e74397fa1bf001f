import { defineJob } from '@figbase/kit/jobs'
import { actAs, user } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { textSourceOf } from '../domain/text-source.js'
import { isFinal } from '../errors.js'
import { extractText, processRevision, rerender } from '../job-names.js'
import { activate } from '../publication/activate.js'
import { settleUpdates } from '../publication/apply-update.js'
import { listData } from '../queries/data.js'
import { findUses } from '../queries/links.js'
import { beginProcessing, type ProcessingInput, type RevisionRef } from '../queries/processing.js'
import { imageCrashReason, processData } from './process-data.js'

/** Attempts before an image that crashes the process, or an unavailable store, is skipped. */
const pictureAttemptsMax = 3
const rerenderDelayMs = 10_000
const activateTimeoutMs = 10_000

/**
 * Creates the thumbnail and the hashes of a revision, repeats failed calls to catalog, and enqueues the
 * text extraction. It may run twice.
 */
export const processRevisionJob = defineJob({
  ...processRevision,
  timeoutMs: 5 * 60_000,
  async run(ctx: Ctx, { revisionId, workspaceId, silent }, signal) {
    const input = await beginProcessing(ctx.db, revisionId)
    if (!input) return
    const { revision, bitmapId } =
      input.is_processing && !input.is_being_assigned
        ? await processOnce(ctx, input, workspaceId, signal)
        : { revision: input }
    // Last, because the request has nearly always done it by now.
    if (revision && silent !== undefined && !(await ctx.activationOutcomes.get(revisionId))) {
      await activateDeferred(ctx, revision, silent)
    }
    if (input.has_updates) await settleUpdates(ctx, revisionId)
    if (needsTextJob(input, bitmapId)) {
      const options = { key: revisionId, workspaceId }
      const payload = { revisionId, workspaceId }
      await ctx.write((db) => ctx.enqueue(db, extractText, payload, options), { enqueues: true })
    }
  },
})

/** An image without a declared format may be a vector image, unless it was decoded as a bitmap. */
const needsTextJob = ({ has_texts, unread }: ProcessingInput, bitmapId: string | undefined) =>
  has_texts || unread.some((data) => data.id !== bitmapId && textSourceOf(data))

/** The processing always ends, after the last attempt without a picture. */
async function processOnce(
  ctx: Ctx,
  input: ProcessingInput,
  workspaceId: string,
  signal: AbortSignal,
) {
  const { id: revisionId, content_version: contentVersion, processing_attempts: attempts } = input
  if (attempts > pictureAttemptsMax) {
    return processData(ctx, input, workspaceId, signal, imageCrashReason)
  }
  try {
    return await processData(ctx, input, workspaceId, signal)
  } catch (err) {
    if (attempts < pictureAttemptsMax || signal.aborted) throw err
    ctx.log.warn({ err, id: revisionId }, 'making the picture failed; deferred to a separate job')
    const payload = { revisionId, workspaceId, contentVersion }
    const runAt = new Date(Date.now() + rerenderDelayMs)
    const options = { key: revisionId, workspaceId, runAt }
    await ctx.write((db) => ctx.enqueue(db, rerender, payload, options), { enqueues: true })
    return processData(ctx, input, workspaceId, signal, 'the image could not be read')
  }
}

/** Activates a revision if its request could not. */
export async function activateDeferred(
  ctx: Ctx,
  revision: RevisionRef,
  silent: boolean,
): Promise<void> {
  const { id, revision_index: position, created_by: creator } = revision
  const as = { ...actAs(user(creator)), timeoutMs: activateTimeoutMs }
  try {
    const data = await listData(ctx.db, id)
    const uses = await findUses(ctx.db, id)
    await activate(ctx, { id, position, data, silent, uses }, as)
  } catch (error) {
    // A final error means that the revision was discarded.
    if (!isFinal(error)) throw error
  }
}
