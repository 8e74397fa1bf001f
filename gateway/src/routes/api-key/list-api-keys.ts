import type { Endpoint } from '../../endpoint.js'
import { apiKeySchema, apiKeyShape } from '../../shapes/api-key.js'
import { listEndpoint } from '../list.js'

export const listApiKeys: Endpoint = listEndpoint({
  path: '/api_key/',
  since: 'v1',
  auth: 'required',
  operationId: 'listApiKeys',
  summary: 'List the API keys of the caller',
  description: 'The oldest comes first. The tokens are null.',
  item: apiKeySchema,
  isShort: true,
  async readPage({ services, call }, page) {
    const { keys, nextPageToken } = await services.identity.listApiKeys(page, call)
    return { items: keys.map((key) => apiKeyShape(key)), nextPageToken }
  },
})
