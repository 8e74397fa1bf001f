import { z } from 'zod'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  accessMember,
  apiKeyCreatedSchema,
  apiKeyCreatedShape,
  toApiKeyAccess,
} from '../../shapes/api-key.js'
import { idText, name } from '../body-members.js'
import { timeMember } from '../times.js'

export const createApiKey: Endpoint = endpoint({
  method: 'POST',
  path: '/api_key/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Only this answer contains the token. The request needs a sign-in with a password: it is rejected if it is made with an API key.',
  body: z.object({
    name,
    workspace: idText.nullish(),
    expiry: timeMember,
    access: accessMember.nullish(),
  }),
  responses: {
    201: apiKeyCreatedSchema,
  },
  responseHeaders: ['Location'],
  async handle({ version, body: { name, workspace, expiry, access }, services, call }) {
    const request = {
      name,
      workspaceId: workspace ?? '',
      ...(expiry && { expiresOn: expiry }),
      ...(access && { access: toApiKeyAccess(access) }),
    }
    const { key: answered, token } = await services.identity.createApiKey(request, call)
    const key = required(answered)
    const location = `/api/${version}/api_key/${key.id}/`
    return created(apiKeyCreatedShape(key, token), { location })
  },
})
