import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSignIn } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { deleteApiKey as deleteRow } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'

export function deleteApiKey(ctx: Ctx): Impl['deleteApiKey'] {
  return async ({ id }, call) => {
    const owner = requireSignIn(call)
    const isDeleted = isUuid(id) && (await ctx.write((db) => deleteRow(db, id, owner)))
    if (!isDeleted) throw notFound('this API key')
    return {}
  }
}
