import { type Endpoint, endpoint, noContent } from '../../endpoint.js'

export const deleteComment: Endpoint = endpoint({
  method: 'DELETE',
  path: '/comment/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary:
    'Take it back; its author only. What was answered stays as an empty place (`is_deleted`)',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.comments.deleteComment({ id: params.id ?? '' }, call)
    return noContent
  },
})
