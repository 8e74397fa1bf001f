import { isUuid, notFound, requireSignIn } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { deleteApiKey as deleteRow } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'

export function deleteApiKey(ctx: Ctx): Impl['deleteApiKey'] {
  return async ({ id }, call) => {
    const owner = requireSignIn(call)
    const isGone = isUuid(id) && (await ctx.write((db) => deleteRow(db, id, owner)))
    if (!isGone) throw notFound('this API key')
    return {}
  }
}
