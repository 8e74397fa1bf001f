import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import type { MembershipResource } from '../member/resources.js'
import { nounOf } from '../nouns.js'

export const acceptInvitation = ({ segment, type }: MembershipResource): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/invitations/${segment}/:key/accept/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'supported',
    operationId: `accept${nounOf(segment).idPart}Invitation`,
    summary: `Join ${nounOf(segment).a} by invitation`,
    description: 'The token of an invitation works once.',
    responses: { 200: invitationSchema },
    errors: { 403: ['max_users'], 409: ['already_member'] },
    async handle({ params, services, call }) {
      const request = { token: params.key ?? '', type }
      const { invitation } = await services.catalog.acceptInvitation(request, call)
      return ok(invitationShape(required(invitation), null, 'accepted'))
    },
  })
