import { z } from 'zod'
import { endpoint, noContent } from '../../endpoint.js'
import { closedBody } from '../body-members.js'

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/user/:username/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deleteUser',
  summary: 'Delete an account',
  description: 'Users must send their password if they have one. Staff may delete any account.',
  isBodyOptional: true,
  body: closedBody({ password: z.string('must be a string').nullish() }),
  responses: { 204: null },
  errors: { 409: ['last_administrator', 'last_owner'], 429: ['too_busy'] },
  async handle({ params, body, services, call }) {
    const request = { username: params.username ?? '', password: body.password ?? '' }
    await services.accounts.deleteUser(request, call)
    return noContent
  },
})
