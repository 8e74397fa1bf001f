import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import { isSilent, silentQuery } from '../query-flags.js'

export const deleteComment: Endpoint = endpoint({
  method: 'DELETE',
  path: '/comment/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deleteComment',
  summary: 'Delete a comment',
  description:
    'Only the author may delete it. A comment with answers remains, without content (`is_deleted`).',
  query: silentQuery,
  responses: { 204: null },
  async handle({ params, query, services, call }) {
    const request = { id: params.id ?? '', silent: isSilent(query) }
    await services.comments.deleteComment(request, call)
    return noContent
  },
})
