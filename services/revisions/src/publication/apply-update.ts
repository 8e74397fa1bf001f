import { type CallOptions, Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, forwardDetached, user } from '@figbase/kit/rpc'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import { type DataSize, listDataSizes } from '../queries/data.js'
import { findUses, type Uses } from '../queries/links.js'
import { getSummary } from '../queries/revisions.js'
import { deleteSettled, listUnsettled, type UnsettledUpdate } from '../queries/unsettled-updates.js'
import { toAssetUses } from '../wire.js'
import { withRetry } from './with-retry.js'

const timeoutMs = 10_000

export type UpdateApplication = {
  updateId: string
  /** The id of the revision. */
  id: string
  /** All data as of `contentVersion`. Undefined if the data does not change. */
  data: DataSize[] | undefined
  contentVersion: number
  silent: boolean
  /** Of the figure revision; undefined if they do not change. */
  uses: Uses | undefined
}

/** Reports a committed update to catalog. May be repeated. */
export async function applyUpdate(
  ctx: Ctx,
  { updateId, id, data, contentVersion, silent, uses }: UpdateApplication,
  as: CallOptions,
): Promise<Node> {
  const leaves = data?.map((one) => ({ id: one.id, sizeBytes: one.size_bytes }))
  const request = {
    updateId,
    id,
    contentVersion,
    silent,
    ...(leaves && { leaves: { leaves } }),
    ...(uses && { uses: toAssetUses(uses) }),
  }
  const { node } = await ctx.catalog.activateUpdate(request, as)
  if (!node) throw new Error('catalog returned no node for an update')
  return node
}

/**
 * Returns undefined if catalog does not answer. The update is committed and the job will apply it, so the
 * request succeeds: an error would make the client repeat it.
 */
export async function applyWithRetry(
  ctx: Ctx,
  application: UpdateApplication,
  call: HandlerContext,
): Promise<Node | undefined> {
  const { updateId } = application
  try {
    return await withRetry(ctx, updateId, () =>
      applyUpdate(ctx, application, forwardDetached(call, 5000)),
    )
  } catch (error) {
    if (isFinal(error)) throw error
    ctx.log.warn({ err: error, id: updateId }, 'applying the update deferred to the job')
    return undefined
  }
}

/** Applies the updates that were committed and not applied, in order, on behalf of their authors. */
export async function settleUpdates(ctx: Ctx, revisionId: string): Promise<void> {
  const settled: string[] = []
  try {
    for (const update of await listUnsettled(ctx.db, revisionId)) {
      if (!(await ctx.activationOutcomes.get(update.id)))
        await applyDeferred(ctx, revisionId, update)
      settled.push(update.id)
    }
  } finally {
    await deleteSettled(ctx.db, settled)
  }
}

async function applyDeferred(ctx: Ctx, id: string, update: UnsettledUpdate) {
  const { id: updateId, author, has_data, silent, figure_revision_id: figureRevisionId } = update
  // Read before the data, so that newer data in catalog is not replaced by older data.
  const { content_version: contentVersion } = await getSummary(ctx.db, id)
  const data = has_data ? await listDataSizes(ctx.db, id) : undefined
  const as = { ...actAs(user(author)), timeoutMs }
  try {
    const uses = await findUses(ctx.db, figureRevisionId ?? id)
    await applyUpdate(ctx, { updateId, id, data, contentVersion, silent, uses }, as)
  } catch (error) {
    // The revision was deleted, or the author lost access after the update was applied.
    if (!isFinal(error) && !hasCode(error, Code.PermissionDenied)) throw error
    ctx.log.info(
      { err: error, id: updateId, revision: id },
      'update not applied: the revision or the permission is gone',
    )
  }
}
