import { type Endpoint, endpoint, noContent } from '../../endpoint.js'

export const deleteApiKey: Endpoint = endpoint({
  method: 'DELETE',
  path: '/api_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'Delete an API key; requires sign-in with a password. The key is rejected from then on',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.identity.deleteApiKey({ id: params.api_id ?? '' }, call)
    return noContent
  },
})
