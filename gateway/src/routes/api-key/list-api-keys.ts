import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { apiKeySchema, apiKeyShape } from '../../shapes/api-key.js'
import { collectPages } from '../pagination.js'

export const listApiKeys: Endpoint = endpoint({
  method: 'GET',
  path: '/api_key/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listApiKeys',
  summary: 'List the API keys of the caller',
  description: 'The oldest comes first. The tokens are null.',
  responses: { 200: z.array(apiKeySchema) },
  async handle({ services, call }) {
    const keys = await collectPages(async (pageToken) => {
      const page = await services.identity.listApiKeys({ pageToken }, call)
      return { items: page.keys, nextPageToken: page.nextPageToken }
    })
    return ok(keys.map((key) => apiKeyShape(key)))
  },
})
