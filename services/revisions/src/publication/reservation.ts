import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, forwardDetached } from '@figbase/kit/rpc'
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
 * Throws if the caller may not create a revision there. Returns the workspace, the bytes left in the plan
 * (undefined: no limit), and the storage for new data.
 */
export async function checkParent(ctx: Ctx, kind: RevisionKind, id: string, call: HandlerContext) {
  if (!isUuid(id)) throw invalid(kind.parentField, 'must be a UUID')
  const request = { id, permission: Permission.CREATE, type: kind.parentType }
  try {
    return accessOf(await ctx.catalog.checkAccess(request, forward(call)))
  } catch (error) {
    throw aboutParent(error, kind)
  }
}

/** The result of catalog's access check. */
export const accessOf = ({ workspaceId, storageBytesLeft, storageId }: CheckAccessResponse) => ({
  workspaceId,
  left: storageBytesLeft,
  storage: storageId || defaultStorage,
})

export type ReservationRequest = {
  id: string
  kind: RevisionKind
  parentId: string
  sizeBytes: bigint
}

/**
 * Reserves a node in catalog and commits a revision. If nothing was committed, the reservation is
 * abandoned. `commit` may only throw if it will not commit later.
 */
export async function withReservation<T>(
  ctx: Ctx,
  place: ReservationRequest,
  call: HandlerContext,
  commit: (reserved: ReserveResponse) => Promise<T>,
): Promise<T> {
  const reserved = await reserve(ctx, place, call)
  const { id } = place
  try {
    call.signal.throwIfAborted()
    return await commit(reserved)
  } catch (error) {
    // If the revision exists, the connection was lost after the commit, and the job will finish the creation.
    const mayBeThere = await listExistingIds(ctx.db, [id]).catch(() => [id])
    if (mayBeThere.length === 0) {
      await logAbandonFailure(ctx, id, ctx.catalog.abandon({ id }, forwardDetached(call)))
    }
    throw error
  }
}

async function reserve(
  ctx: Ctx,
  { id, kind, parentId, sizeBytes }: ReservationRequest,
  call: HandlerContext,
): Promise<ReserveResponse> {
  try {
    // Detached from the call: if the client disconnects, the reservation must still be known here.
    const request = { id, type: kind.nodeType, parentId, sizeBytes }
    return await ctx.catalog.reserve(request, forwardDetached(call))
  } catch (error) {
    if (hasCode(error, Code.AlreadyExists)) throw duplicateClientId()
    throw aboutParent(error, kind)
  }
}

/** Like `withReservation`, for an update of the revision `id`. */
export async function withUpdateReservation<T>(
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
    await logAbandonFailure(ctx, reserved.updateId, abandonUpdate(ctx, update.id, reserved, call))
    throw error
  }
}

/** Checks under the lock of the revision whether the update was committed all the same. */
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

/** A failure is only logged, because catalog settles reservations later. */
async function logAbandonFailure({ log }: Ctx, id: string, work: Promise<unknown>): Promise<void> {
  await work.catch((err: unknown) => log.warn({ err, id }, 'abandoning a reservation failed'))
}
