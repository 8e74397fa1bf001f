import type { ServiceImpl } from '@connectrpc/connect'
import { requireUnbound } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind, Tx } from '../db/schema.js'
import { hashOf } from '../domain/invitation-token.js'
import { allows } from '../domain/permissions.js'
import { userNamed } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { alreadyMember, invitationMissing } from '../errors.js'
import { findMember } from '../queries/grants.js'
import { type Invitation, takeInvitation } from '../queries/invitations.js'
import { findAccess } from '../queries/nodes.js'
import { holdNode } from '../queries/organizations.js'
import { toInvitation } from '../wire.js'
import { insertMember } from './member-rules.js'

type Impl = ServiceImpl<typeof CatalogService>

/** An attempt that fails uses the invitation up all the same: it is committed, then refused. */
export function acceptInvitation(ctx: Ctx): Impl['acceptInvitation'] {
  return async (req, call) => {
    const username = requireUnbound(call)
    const kind = kindOf(req.type)
    if (!kind) throw invitationMissing()
    const outcome = await ctx.transact((tx) => accept(ctx, tx, hashOf(req.token), kind, username))
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
  const invitation = await takeInvitation(tx, hash, kind)
  if (!invitation?.is_open) return invitationMissing()
  const { node_id: nodeId, role, invited_by: by } = invitation
  await holdNode(tx, nodeId)
  const target = await findAccess(tx, nodeId, userNamed(by))
  if (!target || !allows(target.roles, Permission.MANAGE, kind)) return invitationMissing()
  if (await findMember(tx, nodeId, username)) return alreadyMember(username)
  await insertMember(ctx, tx, { nodeId, subject: username, role, by })
  return invitation
}
