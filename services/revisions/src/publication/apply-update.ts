import { type CallOptions, Code, type HandlerContext } from '@connectrpc/connect'
import { actAs, forwardDetached, hasCode, user } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import { type Leaf, listLeaves } from '../queries/data.js'
import { getSummary } from '../queries/revisions.js'
import { deleteSettled, listUnsettled, type UnsettledUpdate } from '../queries/unsettled-updates.js'
import { patiently } from './patiently.js'

const timeoutMs = 10_000

export type Application = {
  updateId: string
  /** The revision. */
  id: string
  /** All data that there is as of `contentVersion`; undefined: it stays as it is. */
  leaves: Leaf[] | undefined
  contentVersion: number
  silent: boolean
}

/** Tells catalog of a committed update; may be repeated. */
export async function applyUpdate(
  ctx: Ctx,
  { updateId, id, leaves, contentVersion, silent }: Application,
  as: CallOptions,
): Promise<Node> {
  const told = leaves?.map((leaf) => ({ id: leaf.id, sizeBytes: leaf.size_bytes }))
  const request = {
    updateId,
    id,
    contentVersion,
    silent,
    ...(told && { leaves: { leaves: told } }),
  }
  const { node } = await ctx.catalog.activateUpdate(request, as)
  if (!node) throw new Error('catalog applied an update without a node')
  return node
}

/**
 * When catalog does not answer, the update is committed all the same and the job will apply it: undefined,
 * and the caller hears of success, for it would only send it once more.
 */
export async function applyPatiently(
  ctx: Ctx,
  application: Application,
  call: HandlerContext,
): Promise<Node | undefined> {
  const { updateId } = application
  try {
    return await patiently(ctx, updateId, () =>
      applyUpdate(ctx, application, forwardDetached(call, 5000)),
    )
  } catch (error) {
    if (isFinal(error)) throw error
    ctx.log.warn({ err: error, id: updateId }, 'left to the job to apply')
    return undefined
  }
}

/** Applies what was committed and not applied, in order, in the name of whoever made it. */
export async function settleUpdates(ctx: Ctx, revisionId: string): Promise<void> {
  const settled: string[] = []
  try {
    for (const update of await listUnsettled(ctx.db, revisionId)) {
      if (!(await ctx.shown.get(update.id))) await applyLate(ctx, revisionId, update)
      settled.push(update.id)
    }
  } finally {
    await deleteSettled(ctx.db, settled)
  }
}

async function applyLate(ctx: Ctx, id: string, update: UnsettledUpdate) {
  const { id: updateId, author, has_data, silent } = update
  // Before its data: what catalog has of a later version is then not replaced by something older.
  const { content_version: contentVersion } = await getSummary(ctx.db, id)
  const leaves = has_data ? await listLeaves(ctx.db, id) : undefined
  const as = { ...actAs(user(author)), timeoutMs }
  try {
    await applyUpdate(ctx, { updateId, id, leaves, contentVersion, silent }, as)
  } catch (error) {
    // It was deleted, or applied before its author lost his access: nothing is left to apply.
    if (!isFinal(error) && !hasCode(error, Code.PermissionDenied)) throw error
    ctx.log.info({ err: error, id: updateId, revision: id }, 'an update is not applied any more')
  }
}
