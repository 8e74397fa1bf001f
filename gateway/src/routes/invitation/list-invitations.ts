import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import type { Circle } from '../member/members.js'
import { allPages } from '../pages.js'

export const listInvitations = ({ segment, type }: Circle): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/invitations/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `The invitations to the ${segment} that can still be accepted, oldest first`,
    responses: { 200: z.array(invitationSchema) },
    async handle({ params, services, call }) {
      const targetId = params.id ?? ''
      const invitations = await allPages(async (pageToken) => {
        const page = await services.catalog.listInvitations({ targetId, type, pageToken }, call)
        return { items: page.invitations, nextPageToken: page.nextPageToken }
      })
      return ok(invitations.map((invitation) => invitationShape(invitation)))
    },
  })
