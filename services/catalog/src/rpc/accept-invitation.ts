import type { ServiceImpl } from '@connectrpc/connect'
import { requireUnbound } from '@figbase/kit/rpc'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind, Tx } from '../db/schema.js'
import { hashOf } from '../domain/invitation-token.js'
import { allows } from '../domain/permissions.js'
import { subjectFor } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { alreadyMember, invitationNotFound } from '../errors.js'
import { findAccess } from '../queries/access.js'
import { findMember } from '../queries/grants.js'
import { consumeInvitation, type Invitation } from '../queries/invitations.js'
import { lockNode } from '../queries/locks.js'

import { toInvitation } from '../wire.js'
import { insertMember } from './member-rules.js'

type Impl = ServiceImpl<typeof CatalogService>

/** A rejected attempt still consumes the invitation: the transaction commits before the error is thrown. */
export function acceptInvitation(ctx: Ctx): Impl['acceptInvitation'] {
  return async (req, call) => {
    const username = requireUnbound(call)
    const kind = kindOf(req.type)
    if (!kind) throw invitationNotFound()
    const outcome = await ctx.transact(async (tx) => {
      const accepted = await accept(ctx, tx, hashOf(req.token), kind, username)
      if (accepted instanceof Error) return accepted
      await ctx.record(tx, call, () => ({ invitation: toInvitation(accepted) }))
      return accepted
    })
    if (outcome instanceof Error) throw outcome
    return { invitation: toInvitation(outcome) }
  }
}

async function accept(
  ctx: Ctx,
  tx: Tx,
  hash: Buffer,
  kind: NodeKind,
  username: string,
): Promise<Invitation | Error> {
  const invitation = await consumeInvitation(tx, hash, kind)
  if (!invitation?.is_open) return invitationNotFound()
  const { node_id: nodeId, role, invited_by: by } = invitation
  await lockNode(tx, nodeId)
  const target = await findAccess(tx, nodeId, subjectFor(by))
  if (!target || !allows(target.roles, Permission.MANAGE, kind)) return invitationNotFound()
  if (await findMember(tx, nodeId, username)) return alreadyMember(username)
  await insertMember(ctx, tx, { nodeId, subject: username, role, by, isNotified: false })
  return invitation
}
