import { type Endpoint, endpoint, noContent } from '../../endpoint.js'

export const deleteReaction: Endpoint = endpoint({
  method: 'DELETE',
  path: '/reaction/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deleteReaction',
  summary: 'Delete a reaction of the caller',
  description: 'Only its author may delete it.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.comments.deleteReaction({ id: params.id ?? '' }, call)
    return noContent
  },
})
