import { type Endpoint, endpoint, noContent } from '../../endpoint.js'

export const deleteApiKey: Endpoint = endpoint({
  method: 'DELETE',
  path: '/api_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deleteApiKey',
  summary: 'Delete an API key of the caller',
  description: 'The key is rejected from then on. The request needs a sign-in with a password.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.identity.deleteApiKey({ id: params.api_id ?? '' }, call)
    return noContent
  },
})
