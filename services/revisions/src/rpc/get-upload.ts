import type { HandlerContext } from '@connectrpc/connect'
import { isUuid, onlyWorkspace, requireUser } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { listResumable, type ResumableUpload } from '../queries/resumable-uploads.js'
import { uploadMissing } from '../resumable/begin.js'
import { takeOver } from '../resumable/take-over.js'
import type { Impl } from '../routes.js'
import { toUpload } from '../wire.js'

export function getUpload(ctx: Ctx): Impl['getUpload'] {
  return async ({ id }, call) => {
    const upload = await openUploadOf(ctx, id, call)
    return { upload: toUpload(await takeOver(ctx, upload, call.signal)) }
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
