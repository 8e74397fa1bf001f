import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import { found } from '../found.js'
import type { Circle } from '../member/members.js'

export const acceptInvitation = ({ segment, type }: Circle): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/invitations/${segment}/:key/accept/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    summary: `Become a member of the ${segment} by the token of an invitation, which is used up`,
    responses: { 200: invitationSchema },
    async handle({ params, services, call }) {
      const request = { token: params.key ?? '', type }
      const { invitation } = await services.catalog.acceptInvitation(request, call)
      return ok(invitationShape(found(invitation), null, 'accepted'))
    },
  })
