import type { HandlerContext } from '@connectrpc/connect'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Db } from '../db/schema.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { invitationNotFound } from '../errors.js'
import { findAccess } from '../queries/access.js'
import { findInvitation, type Invitation } from '../queries/invitations.js'

/** The requested open invitation. Throws when the caller does not manage its container. */
export async function authorizeInvitation(
  db: Db,
  { id, type }: { id: string; type: NodeType },
  call: HandlerContext,
): Promise<Invitation> {
  requireUser(call)
  const invitation = isUuid(id) ? await findInvitation(db, id) : undefined
  if (!invitation || invitation.type !== kindOf(type)) throw invitationNotFound()
  const subject = subjectOf(call)
  authorize(await findAccess(db, invitation.node_id, subject), Permission.MANAGE, subject)
  return invitation
}
