import { type Invitation, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'
import { membershipTypeOf, membershipTypes } from './member.js'

export const invitationSchema = z
  .object({
    api_id: uuid,
    email: z.string(),
    initiator: z.string(),
    token: z.string().nullable(),
    status: z.enum(['pending', 'accepted']),
    created: datetime,
    expiry: datetime,
    membership_type: z.enum(membershipTypes),
    workspace: uuid.optional(),
    organization: uuid.optional(),
  })
  .meta({ id: 'Invitation', description: 'An invitation to a workspace or an organization.' })

/** The token is known only when the invitation is created. */
export const invitationShape = (
  invitation: Invitation,
  token: string | null = null,
  status: 'pending' | 'accepted' = 'pending',
) => ({
  api_id: invitation.id,
  email: invitation.email,
  initiator: invitation.invitedBy,
  token,
  status,
  created: isoOrNull(invitation.createdOn),
  expiry: isoOrNull(invitation.expiresOn),
  membership_type: membershipTypeOf(invitation.role),
  [invitation.type === NodeType.ORGANIZATION ? 'organization' : 'workspace']: invitation.targetId,
})
