import type { HandlerContext } from '@connectrpc/connect'
import { isUuid, onlyWorkspace, requireUser } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { askResumable, listResumable, type ResumableUpload } from '../queries/resumable-uploads.js'
import type { Impl } from '../routes.js'
import { uploadMissing } from '../uploads/begin.js'
import { takeOver } from '../uploads/take-over.js'
import { toUpload } from '../wire.js'

export function getUpload(ctx: Ctx): Impl['getUpload'] {
  return async ({ id }, call) => {
    const owner = requireUser(call)
    if (!isUuid(id)) throw uploadMissing()
    const askId = ctx.newId()
    const asked = await ctx.write((db) => askResumable(db, id, owner, onlyWorkspace(call), askId))
    if (!asked) throw uploadMissing()
    return { upload: toUpload(await takeOver(ctx, asked, call.signal)), askId }
  }
}

/** The caller's own; that of somebody else, or of a workspace that his API key is not for, is not found. */
export async function openUploadOf(
  ctx: Ctx,
  id: string,
  call: HandlerContext,
): Promise<ResumableUpload> {
  const owner = requireUser(call)
  const [upload] = isUuid(id) ? await listResumable(ctx.db, [id], owner, onlyWorkspace(call)) : []
  if (!upload) throw uploadMissing()
  return upload
}
