import type { HandlerContext } from '@connectrpc/connect'
import { isUuid } from '@figbase/kit/ids'
import { onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import {
  listResumable,
  type ResumableUpload,
  requestResumable,
} from '../queries/resumable-uploads.js'
import type { Impl } from '../routes.js'
import { uploadNotFound } from '../uploads/begin.js'
import { takeOver } from '../uploads/take-over.js'
import { toUpload } from '../wire.js'

export function getUpload(ctx: Ctx): Impl['getUpload'] {
  return async ({ id }, call) => {
    const owner = requireUser(call)
    if (!isUuid(id)) throw uploadNotFound()
    const askId = ctx.newId()
    const asked = await ctx.write((db) =>
      requestResumable(db, id, owner, onlyWorkspace(call), askId),
    )
    if (!asked) throw uploadNotFound()
    return { upload: toUpload(await takeOver(ctx, asked, call.signal)), askId }
  }
}

/** An upload of another user is not found, nor one in a workspace that the API key does not cover. */
export async function openUploadOf(
  ctx: Ctx,
  id: string,
  call: HandlerContext,
): Promise<ResumableUpload> {
  const owner = requireUser(call)
  const [upload] = isUuid(id) ? await listResumable(ctx.db, [id], owner, onlyWorkspace(call)) : []
  if (!upload) throw uploadNotFound()
  return upload
}
