import { isUuid } from '@figbase/kit/ids'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import type { MembershipResource } from '../member/resources.js'
import { nounOf } from '../nouns.js'

export const getInvitation = ({ segment, type }: MembershipResource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/invitations/${segment}/:key/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}Invitation`,
    summary: `Get an invitation to ${nounOf(segment).a}`,
    description: `Members who may manage the ${segment} get it by its id, and everybody by its token.`,
    responses: { 200: invitationSchema },
    async handle({ params: { key = '' }, services: { catalog }, call }) {
      // Tokens are never UUIDs.
      const { invitation } = isUuid(key)
        ? await catalog.getInvitation({ id: key, type }, call)
        : await catalog.getInvitationByToken({ token: key, type }, call)
      return ok(invitationShape(required(invitation)))
    },
  })
