import type { HandlerContext } from '@connectrpc/connect'
import { invalid, notFound } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { segmentKey } from '../domain/object-keys.js'
import { storageExceeded, tooLarge, tooManyUploads } from '../errors.js'
import {
  countOpen,
  declaredBytes,
  insertResumable,
  lockBeginning,
  type ResumableUpload,
} from '../queries/resumable-uploads.js'
import { checkTarget, type Target } from './target.js'

export type Beginning = {
  target: Target
  lengthBytes: bigint | undefined
  metadata: string
  isDirect: boolean
}

/** Opens an upload, if all open uploads of its workspace together fit the plan. */
export async function beginResumable(
  ctx: Ctx,
  { target, lengthBytes, metadata, isDirect }: Beginning,
  call: HandlerContext,
): Promise<ResumableUpload> {
  const owner = requireUser(call)
  const { workspaceId, bytesLeft } = await checkTarget(ctx, target, call)
  checkLength(ctx, lengthBytes)
  const id = ctx.newId()
  return ctx.transact(async (tx) => {
    await lockBeginning(tx, owner, workspaceId)
    const { uploadsOpenMax, uploadExpiryMs } = ctx.cfg
    if ((await countOpen(tx, owner)) >= uploadsOpenMax) throw tooManyUploads(uploadsOpenMax)
    if (bytesLeft !== undefined) {
      const room = bytesLeft - (await declaredBytes(tx, workspaceId))
      if ((lengthBytes ?? 0n) > room) throw storageExceeded(room > 0n ? room : 0n)
    }
    const upload = {
      id,
      owner,
      workspace_id: workspaceId,
      target_id: target.id,
      target_type: target.type,
      metadata,
      length_bytes: lengthBytes ?? null,
      direct_key: isDirect ? segmentKey(id, ctx.newId()) : null,
    }
    return insertResumable(tx, upload, uploadExpiryMs)
  })
}

export function checkLength({ cfg }: Pick<Ctx, 'cfg'>, lengthBytes: bigint | undefined): void {
  if (lengthBytes === undefined) return
  if (lengthBytes < 0n) throw invalid('length', 'must not be negative')
  if (lengthBytes > cfg.uploadBytesMax) throw tooLarge(cfg.uploadBytesMax)
}

export const uploadNotFound = () => notFound('the upload')
