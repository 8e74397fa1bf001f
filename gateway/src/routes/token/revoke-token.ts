import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { closedBody } from '../body-members.js'
import { tokensSchema } from './issue-token.js'

export const revokeToken = endpoint({
  method: 'POST',
  path: '/api/token/revoke/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  operationId: 'revokeToken',
  summary: 'Sign out: revoke a refresh token',
  description: 'With `all`, all refresh tokens of its user are revoked.',
  acceptsForm: true,
  // Clients may send back the whole response of the sign-in.
  body: closedBody(
    { refresh: z.string(), all: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish() },
    tokensSchema,
  ).meta({ id: 'TokenRevocation', description: 'The refresh tokens to revoke.' }),
  responses: { 200: z.object({}) },
  errors: { 401: ['token_not_valid'] },
  async handle({ body, services, call }) {
    const all = body.all === true || body.all === 'true'
    await services.identity.revokeToken({ refresh: body.refresh, all }, call)
    return ok({})
  },
})
