import { isUuid } from '@figbase/kit'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Db } from '../db/schema.js'
import { kindOf } from '../domain/types.js'
import { invitationMissing } from '../errors.js'
import { findInvitation, type Invitation } from '../queries/invitations.js'
import { findAccess } from '../queries/nodes.js'

/** The open invitation that a request names, to a container that the caller manages. */
export async function openInvitation(
  db: Db,
  { id, type }: { id: string; type: NodeType },
  subject: string,
): Promise<Invitation> {
  const invitation = isUuid(id) ? await findInvitation(db, id) : undefined
  if (!invitation || invitation.type !== kindOf(type)) throw invitationMissing()
  authorize(await findAccess(db, invitation.node_id, subject), Permission.MANAGE, subject)
  return invitation
}
