import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { detailSchema } from '../../shapes/detail.js'
import { closedBody } from '../members.js'

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/password_reset/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  summary:
    'Be sent a link to choose a new password; the answer is the same whoever has the address',
  acceptsForm: true,
  body: closedBody({ email: z.string() }),
  responses: { 200: detailSchema },
  async handle({ body, services, call }) {
    await services.accounts.requestPasswordReset({ email: body.email }, call)
    return ok({ detail: 'if there is an account with this address, a mail is on its way to it' })
  },
})
