import { Code, type HandlerContext } from '@connectrpc/connect'
import { forward, forwardDetached, hasCode, invalid, isUuid } from '@figbase/kit'
import {
  type CheckAccessResponse,
  Permission,
  type ReserveResponse,
  type ReserveUpdateResponse,
} from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { aboutParent, duplicateClientId } from '../errors.js'
import { getRevisionLocked, listExistingIds } from '../queries/revisions.js'
import { isUpdateCommitted } from '../queries/unsettled-updates.js'

/**
 * Refuses who may not create below the parent. Answers its workspace, how many bytes the plan has left
 * (undefined: it does not limit them), and where new data belongs.
 */
export async function checkParent(ctx: Ctx, kind: RevisionKind, id: string, call: HandlerContext) {
  if (!isUuid(id)) throw invalid(kind.parentField, 'must be a UUID')
  const request = { id, permission: Permission.CREATE, type: kind.parentType }
  try {
    return roomOf(await ctx.catalog.checkAccess(request, forward(call)))
  } catch (error) {
    throw aboutParent(error, kind)
  }
}

/** What catalog answered to who would store something. */
export const roomOf = ({ workspaceId, storageBytesLeft, storageId }: CheckAccessResponse) => ({
  workspaceId,
  left: storageBytesLeft,
  storage: storageId || defaultStorage,
})

export type Place = { id: string; kind: RevisionKind; parentId: string; sizeBytes: bigint }

/**
 * Commits a new revision in a place of catalog's, which is given back when nothing was committed: `commit` throws
 * only when nothing more will be.
 */
export async function creating<T>(
  ctx: Ctx,
  place: Place,
  call: HandlerContext,
  commit: (reserved: ReserveResponse) => Promise<T>,
): Promise<T> {
  const reserved = await reserve(ctx, place, call)
  const { id } = place
  try {
    call.signal.throwIfAborted()
    return await commit(reserved)
  } catch (error) {
    // Else the connection broke after the commit, and the job will finish what it began.
    const mayBeThere = await listExistingIds(ctx.db, [id]).catch(() => [id])
    if (mayBeThere.length === 0) {
      await givingBack(ctx, id, ctx.catalog.abandon({ id }, forwardDetached(call)))
    }
    throw error
  }
}

async function reserve(
  ctx: Ctx,
  { id, kind, parentId, sizeBytes }: Place,
  call: HandlerContext,
): Promise<ReserveResponse> {
  try {
    // Detached: a hang-up half way would leave it unknown whether there is a reservation.
    const request = { id, type: kind.nodeType, parentId, sizeBytes }
    return await ctx.catalog.reserve(request, forwardDetached(call))
  } catch (error) {
    if (hasCode(error, Code.AlreadyExists)) throw duplicateClientId()
    throw aboutParent(error, kind)
  }
}

/** As `creating`, an update of the revision `id`. */
export async function updating<T>(
  ctx: Ctx,
  update: { id: string; growthBytes?: bigint; withParent?: boolean },
  call: HandlerContext,
  commit: (reserved: ReserveUpdateResponse) => Promise<T>,
): Promise<{ committed: T; reserved: ReserveUpdateResponse }> {
  const reserved = await ctx.catalog.reserveUpdate(update, forwardDetached(call))
  try {
    call.signal.throwIfAborted()
    return { committed: await commit(reserved), reserved }
  } catch (error) {
    await givingBack(ctx, reserved.updateId, abandonUpdate(ctx, update.id, reserved, call))
    throw error
  }
}

/** Unless it was committed all the same, which is seen under the lock of its revision. */
async function abandonUpdate(
  ctx: Ctx,
  revisionId: string,
  { updateId }: ReserveUpdateResponse,
  call: HandlerContext,
) {
  const isCommitted = await ctx.transact(async (tx) => {
    await getRevisionLocked(tx, revisionId)
    return isUpdateCommitted(tx, updateId)
  })
  if (!isCommitted) await ctx.catalog.abandonUpdate({ updateId }, forwardDetached(call))
}

/** When that fails, catalog settles it later. */
async function givingBack({ log }: Ctx, id: string, work: Promise<unknown>): Promise<void> {
  await work.catch((err: unknown) => log.warn({ err, id }, 'a reservation could not be given back'))
}
