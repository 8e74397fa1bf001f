import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { apiKeySchema, apiKeyShape } from '../../shapes/api-key.js'

export const getApiKey: Endpoint = endpoint({
  method: 'GET',
  path: '/api_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getApiKey',
  summary: 'Get an API key of the caller',
  description: 'The token is null: only the answer that creates the key contains it.',
  responses: { 200: apiKeySchema },
  async handle({ params, services, call }) {
    const { key } = await services.identity.getApiKey({ id: params.api_id ?? '' }, call)
    return ok(apiKeyShape(required(key)))
  },
})
