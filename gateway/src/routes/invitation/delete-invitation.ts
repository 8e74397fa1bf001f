import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import type { MembershipResource } from '../member/resources.js'
import { nounOf } from '../nouns.js'

export const deleteInvitation = ({ segment, type }: MembershipResource): Endpoint =>
  endpoint({
    method: 'DELETE',
    path: `/invitations/${segment}/:key/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `delete${nounOf(segment).idPart}Invitation`,
    summary: `Withdraw an invitation to ${nounOf(segment).a}`,
    description: 'The caller needs the permission MANAGE.',
    responses: { 204: null },
    async handle({ params, services, call }) {
      await services.catalog.deleteInvitation({ id: params.key ?? '', type }, call)
      return noContent
    },
  })
