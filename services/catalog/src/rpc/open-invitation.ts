import type { HandlerContext } from '@connectrpc/connect'
import { isUuid, requireUser } from '@figbase/kit'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Db } from '../db/schema.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { invitationMissing } from '../errors.js'
import { findInvitation, type Invitation } from '../queries/invitations.js'
import { findAccess } from '../queries/nodes.js'

/** The open invitation that a request names, to a container that the caller manages. */
export async function openInvitation(
  db: Db,
  { id, type }: { id: string; type: NodeType },
  call: HandlerContext,
): Promise<Invitation> {
  requireUser(call)
  const invitation = isUuid(id) ? await findInvitation(db, id) : undefined
  if (!invitation || invitation.type !== kindOf(type)) throw invitationMissing()
  const subject = subjectOf(call)
  authorize(await findAccess(db, invitation.node_id, subject), Permission.MANAGE, subject)
  return invitation
}
