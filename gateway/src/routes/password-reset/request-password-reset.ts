import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { detailSchema } from '../../shapes/detail.js'
import { closedBody } from '../body-members.js'

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/password_reset/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  operationId: 'requestPasswordReset',
  summary: 'Request an e-mail with a link to reset the password',
  description: 'The answer does not reveal whether there is an account.',
  acceptsForm: true,
  body: closedBody({ email: z.string() }).meta({
    id: 'PasswordResetRequest',
    description: 'Whose password to reset.',
  }),
  responses: { 200: detailSchema },
  errors: { 429: ['too_many_mails'] },
  async handle({ body, services, call }) {
    await services.accounts.requestPasswordReset({ email: body.email }, call)
    return ok({ detail: 'if there is an account with this address, an e-mail has been sent to it' })
  },
})
