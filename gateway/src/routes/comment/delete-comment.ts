import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import { isSilent, silentQuery } from '../query-flags.js'

export const deleteComment: Endpoint = endpoint({
  method: 'DELETE',
  path: '/comment/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary:
    'Delete a comment; author only. A comment with answers remains, without content (`is_deleted`)',
  query: silentQuery,
  responses: { 204: null },
  async handle({ params, query, services, call }) {
    const request = { id: params.id ?? '', silent: isSilent(query) }
    await services.comments.deleteComment(request, call)
    return noContent
  },
})
