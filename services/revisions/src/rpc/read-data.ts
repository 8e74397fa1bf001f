import { forward, isUuid, notFound, principal, requireUser } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { nodeTypeOf } from '../domain/revision-kind.js'
import { findData } from '../queries/data.js'
import type { Impl } from '../routes.js'
import { toDataObject } from '../wire.js'

const chunkBytesMax = 256 * 1024

export function readData(ctx: Ctx): Impl['readData'] {
  return async function* ({ id }, call) {
    const data = isUuid(id) ? await findData(ctx.db, id) : undefined
    if (!data) {
      // Whoever did not sign in learns nothing of which ids exist.
      if (!principal(call).isSystem) requireUser(call)
      throw notFound('the data object')
    }
    const type = nodeTypeOf(data.revision_type)
    const request = { id: data.revision_id, permission: Permission.VIEW, type }
    await ctx.catalog.checkAccess(request, forward(call))

    yield { part: { case: 'object', value: { ...toDataObject(data), revisionType: type } } }
    for await (const bytes of ctx.objects.get(data.key)) {
      for (let at = 0; at < bytes.length; at += chunkBytesMax) {
        call.signal.throwIfAborted()
        yield { part: { case: 'chunk', value: bytes.subarray(at, at + chunkBytesMax) } }
      }
    }
  }
}
