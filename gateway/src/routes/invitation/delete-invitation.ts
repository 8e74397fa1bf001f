import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import type { MembershipResource } from '../member/resources.js'
import { withArticle } from '../with-article.js'

export const deleteInvitation = ({ segment, type }: MembershipResource): Endpoint =>
  endpoint({
    method: 'DELETE',
    path: `/invitations/${segment}/:key/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Withdraw an invitation to ${withArticle(segment)}, by its id`,
    responses: { 204: null },
    async handle({ params, services, call }) {
      await services.catalog.deleteInvitation({ id: params.key ?? '', type }, call)
      return noContent
    },
  })
