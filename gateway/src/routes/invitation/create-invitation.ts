import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import { roleOf } from '../../shapes/member.js'
import { mailLanguageOf } from '../../texts/texts.js'
import { idIn, idText } from '../body-members.js'
import { type MembershipResource, membershipType } from '../member/resources.js'
import { nounOf } from '../nouns.js'
import { timeMember } from '../times.js'

export const createInvitation = (resource: MembershipResource): Endpoint => {
  const { segment, type } = resource
  return endpoint({
    method: 'POST',
    path: `/invitations/${segment}/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'secret',
    operationId: `create${nounOf(segment).idPart}Invitation`,
    summary: `Invite somebody to ${nounOf(segment).a} by e-mail`,
    description: 'The caller needs the permission MANAGE. Only this answer contains the token.',
    body: z.object({
      email: z.string('must be an e-mail address'),
      membership_type: membershipType(resource),
      ...(segment === 'workspace' ? { workspace: idText } : { organization: idText }),
      expiry: timeMember,
    }),
    responses: { 201: invitationSchema },
    errors: { 403: ['max_users'], 409: ['already_member'], 429: ['too_many_mails'] },
    responseHeaders: ['Location'],
    guard: (_params, body) => ({ id: idIn(body, segment), permission: Permission.MANAGE, type }),
    async handle({ version, headers, body, services, call }) {
      const { email, membership_type, expiry } = body
      const request = {
        targetId: idIn(body, segment),
        type,
        email,
        role: roleOf(membership_type),
        language: mailLanguageOf({ headers }),
        ...(expiry && { expiresOn: expiry }),
      }
      const { invitation, token } = await services.catalog.createInvitation(request, call)
      const location = `/api/${version}/invitations/${segment}/${required(invitation).id}/`
      return created(invitationShape(required(invitation), token), { location })
    },
  })
}
