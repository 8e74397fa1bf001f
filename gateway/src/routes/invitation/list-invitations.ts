import type { Endpoint } from '../../endpoint.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import { listEndpoint } from '../list.js'
import type { MembershipResource } from '../member/resources.js'
import { nounOf } from '../nouns.js'

export const listInvitations = ({ segment, type }: MembershipResource): Endpoint =>
  listEndpoint({
    path: `/${segment}/:id/invitations/`,
    since: 'v1',
    auth: 'required',
    operationId: `list${nounOf(segment).idPart}Invitations`,
    summary: `List the pending invitations to ${nounOf(segment).a}`,
    description: 'The oldest comes first. The caller needs the permission MANAGE.',
    item: invitationSchema,
    isShort: true,
    async readPage({ params, services, call }, page) {
      const request = { targetId: params.id ?? '', type, ...page }
      const { invitations, nextPageToken } = await services.catalog.listInvitations(request, call)
      return { items: invitations.map((invitation) => invitationShape(invitation)), nextPageToken }
    },
  })
