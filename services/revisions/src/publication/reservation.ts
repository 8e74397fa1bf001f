import { Code, type HandlerContext } from '@connectrpc/connect'
import { forward, forwardDetached, hasCode, invalid, isUuid } from '@figbase/kit'
import { type CheckAccessResponse, Permission, type ReserveResponse } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { aboutParent, duplicateClientId } from '../errors.js'

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

export async function reserve(
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

/** Gives a reservation back; when that fails, catalog settles it later. */
export async function giveBack(ctx: Ctx, id: string, call: HandlerContext): Promise<void> {
  await ctx.catalog.abandon({ id }, forwardDetached(call)).catch((err: unknown) => {
    ctx.log.warn({ err, id }, 'a reservation could not be given back')
  })
}
