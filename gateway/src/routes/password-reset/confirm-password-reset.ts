import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { detailSchema } from '../../shapes/detail.js'
import { closedBody } from '../body-members.js'

export const confirmPasswordReset = endpoint({
  method: 'POST',
  path: '/api/password_reset/confirm/',
  since: 'v1',
  auth: 'none',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  operationId: 'confirmPasswordReset',
  summary: 'Set a new password with the token from an e-mail',
  description: 'The token works once.',
  acceptsForm: true,
  body: closedBody({ token: z.string(), password: z.string() }).meta({
    id: 'PasswordReset',
    description: 'A new password.',
  }),
  responses: { 200: detailSchema },
  errors: { 429: ['too_busy'] },
  async handle({ body: { token, password }, services, call }) {
    await services.accounts.resetPassword({ token, password }, call)
    return ok({ detail: 'password changed' })
  },
})
