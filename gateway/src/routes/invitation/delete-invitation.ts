import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import type { Circle } from '../member/members.js'

export const deleteInvitation = ({ segment, type }: Circle): Endpoint =>
  endpoint({
    method: 'DELETE',
    path: `/invitations/${segment}/:key/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Take an invitation to a ${segment} back, by its id`,
    responses: { 204: null },
    async handle({ params, services, call }) {
      await services.catalog.deleteInvitation({ id: params.key ?? '', type }, call)
      return noContent
    },
  })
