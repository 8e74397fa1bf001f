import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { toInvitation } from '../wire.js'
import { openInvitation } from './open-invitation.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getInvitation(ctx: Ctx): Impl['getInvitation'] {
  return async (req, call) => ({
    invitation: toInvitation(await openInvitation(ctx.db, req, call)),
  })
}
