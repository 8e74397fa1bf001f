import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'

export const refreshToken = endpoint({
  method: 'POST',
  path: '/api/token/refresh/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  operationId: 'refreshToken',
  summary: 'Exchange a refresh token for a new access token',
  description: 'The refresh token remains valid.',
  acceptsForm: true,
  body: z
    .object({ refresh: z.string() })
    .meta({ id: 'RefreshToken', description: 'A refresh token.' }),
  responses: { 200: z.object({ access: z.string() }) },
  errors: { 401: ['token_not_valid'] },
  async handle({ body, services, call }) {
    const { access } = await services.identity.refreshToken({ refresh: body.refresh }, call)
    return ok({ access })
  },
})
