import { denied, notFound } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { hashOf } from '../../domain/random-token.js'
import {
  deleteMetadataProxy as deleteRow,
  findMetadataProxy,
} from '../../queries/metadata-proxies.js'
import type { SiteImpl } from '../../routes.js'

export function deleteMetadataProxy(ctx: Ctx): SiteImpl['deleteMetadataProxy'] {
  return async ({ token }, call) => {
    const initiator = requireUser(call)
    const tokenHash = hashOf(token)
    const row = await findMetadataProxy(ctx.db, tokenHash)
    if (row && row.initiator !== initiator) throw denied('DELETE')
    const isDeleted = row && (await ctx.write((db) => deleteRow(db, tokenHash, initiator)))
    if (!isDeleted) throw notFound('this mailbox')
    return {}
  }
}
