import { Code } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { failure, invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'
import { beginResumable } from '../uploads/begin.js'
import { checkTarget } from '../uploads/target.js'
import { toUpload } from '../wire.js'

export function beginUpload(ctx: Ctx): Impl['beginUpload'] {
  return async ({ targetId, targetType, lengthBytes, metadata, direct }, call) => {
    const presign = direct ? ctx.objects.presignPut : undefined
    const target = { id: targetId, type: targetType }
    if (direct && !presign) {
      await checkTarget(ctx, target, call)
      throw notDirect()
    }
    if (direct && lengthBytes === undefined) throw invalid('size_bytes', 'is required')
    const beginning = { target, lengthBytes, metadata, isDirect: direct }
    const upload = await beginResumable(ctx, beginning, call)
    const { direct_key: key, expires_on } = upload
    if (!presign || key === null) return { upload: toUpload(upload) }
    const leftSeconds = Number(toTimestamp(expires_on).seconds) - Math.floor(Date.now() / 1000)
    const expiresSeconds = Math.min(Math.max(leftSeconds, 1), presignedSecondsMax)
    return {
      upload: toUpload(upload),
      putUrl: await presign.call(ctx.objects, key, { expiresSeconds }),
    }
  }
}

/** The maximum of S3. */
const presignedSecondsMax = 7 * 24 * 3600

const notDirect = () =>
  failure(
    Code.Unimplemented,
    'not_supported',
    'the object store of this installation does not support direct uploads: use a resumable upload',
  )
