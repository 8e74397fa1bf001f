import type { Ctx } from '../context.js'
import { endResumable } from '../queries/resumable-uploads.js'
import type { Impl } from '../routes.js'
import { settleQuietly } from '../uploads/settle.js'
import { openUploadOf } from './get-upload.js'

export function endUpload(ctx: Ctx): Impl['endUpload'] {
  return async ({ id }, call) => {
    const upload = await openUploadOf(ctx, id, call)
    await ctx.write((db) => endResumable(db, upload.id))
    await settleQuietly(ctx, [upload.id])
    return {}
  }
}
