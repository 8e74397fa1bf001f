import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import type { MembershipResource } from '../member/resources.js'
import { nounOf } from '../nouns.js'
import { collectPages } from '../pagination.js'

export const listInvitations = ({ segment, type }: MembershipResource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/invitations/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `list${nounOf(segment).idPart}Invitations`,
    summary: `List the pending invitations to ${nounOf(segment).a}`,
    description: 'The oldest comes first. The caller needs the permission MANAGE.',
    responses: { 200: z.array(invitationSchema) },
    async handle({ params, services, call }) {
      const targetId = params.id ?? ''
      const invitations = await collectPages(async (pageToken) => {
        const page = await services.catalog.listInvitations({ targetId, type, pageToken }, call)
        return { items: page.invitations, nextPageToken: page.nextPageToken }
      })
      return ok(invitations.map((invitation) => invitationShape(invitation)))
    },
  })
