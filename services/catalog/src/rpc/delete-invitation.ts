import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { deleteInvitation as deleteRow } from '../queries/invitations.js'
import { authorizeInvitation } from './authorize-invitation.js'

type Impl = ServiceImpl<typeof CatalogService>

export function deleteInvitation(ctx: Ctx): Impl['deleteInvitation'] {
  return async (req, call) => {
    const { id } = await authorizeInvitation(ctx.db, req, call)
    await ctx.write((db) => deleteRow(db, id))
    return {}
  }
}
