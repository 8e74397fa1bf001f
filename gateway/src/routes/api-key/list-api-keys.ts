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
  summary: 'List the own API keys, without their tokens, oldest first',
  responses: { 200: z.array(apiKeySchema) },
  async handle({ services, call }) {
    const keys = await collectPages(async (pageToken) => {
      const page = await services.identity.listApiKeys({ pageToken }, call)
      return { items: page.keys, nextPageToken: page.nextPageToken }
    })
    return ok(keys.map((key) => apiKeyShape(key)))
  },
})
