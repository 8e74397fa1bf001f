import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { toInvitation } from '../wire.js'
import { authorizeInvitation } from './authorize-invitation.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getInvitation(ctx: Ctx): Impl['getInvitation'] {
  return async (req, call) => ({
    invitation: toInvitation(await authorizeInvitation(ctx.db, req, call)),
  })
}
