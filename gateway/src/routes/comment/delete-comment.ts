import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import { isSilent, silentQuery } from '../members.js'

export const deleteComment: Endpoint = endpoint({
  method: 'DELETE',
  path: '/comment/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary:
    'Take it back; its author only. What was answered stays as an empty place (`is_deleted`)',
  query: silentQuery,
  responses: { 204: null },
  async handle({ params, query, services, call }) {
    const request = { id: params.id ?? '', silent: isSilent(query) }
    await services.comments.deleteComment(request, call)
    return noContent
  },
})
