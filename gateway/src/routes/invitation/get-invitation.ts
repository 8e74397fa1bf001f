import { isUuid } from '@figbase/kit'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import { found } from '../found.js'
import type { Circle } from '../member/members.js'

export const getInvitation = ({ segment, type }: Circle): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/invitations/${segment}/:key/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `An invitation to a ${segment}: by its id for who manages that, by its token for all`,
    responses: { 200: invitationSchema },
    async handle({ params: { key = '' }, services: { catalog }, call }) {
      // A token has another length than a UUID.
      const { invitation } = isUuid(key)
        ? await catalog.getInvitation({ id: key, type }, call)
        : await catalog.getInvitationByToken({ token: key, type }, call)
      return ok(invitationShape(found(invitation)))
    },
  })
