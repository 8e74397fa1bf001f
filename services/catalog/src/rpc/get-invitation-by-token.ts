import type { ServiceImpl } from '@connectrpc/connect'
import { requireUnbound } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { hashOf } from '../domain/invitation-token.js'
import { kindOf } from '../domain/types.js'
import { invitationNotFound } from '../errors.js'
import { findByToken } from '../queries/invitations.js'
import { toInvitation } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getInvitationByToken(ctx: Ctx): Impl['getInvitationByToken'] {
  return async (req, call) => {
    requireUnbound(call)
    const invitation = await findByToken(ctx.db, hashOf(req.token))
    if (!invitation || invitation.type !== kindOf(req.type)) throw invitationNotFound()
    return { invitation: { ...toInvitation(invitation), targetName: invitation.name } }
  }
}
