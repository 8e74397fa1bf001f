import { unauthenticated } from '@figbase/kit/errors'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { detailSchema } from '../../shapes/detail.js'
import { closedBody } from '../body-members.js'

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/user/:username/verify_email/',
  since: 'v1',
  auth: 'optional',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  operationId: 'verifyEmail',
  summary: 'Confirm the e-mail address of an account',
  description:
    'The `token` comes from an e-mail. Without a token, the request sends such an e-mail.',
  isBodyOptional: true,
  body: closedBody({ token: z.string('must be a string').nullish() }),
  responses: { 200: detailSchema },
  errors: { 409: ['email_taken'], 429: ['too_many_mails'] },
  async handle({ params, body, username: caller, services, call }) {
    const { username = '' } = params
    if (body.token) {
      await services.accounts.verifyEmail({ token: body.token, username }, call)
      return ok({ detail: 'e-mail address confirmed' })
    }
    if (!caller)
      throw unauthenticated(
        'not_authenticated',
        'authentication required: sign in, or send the token from an e-mail',
      )
    await services.accounts.requestEmailVerification({ username }, call)
    return ok({
      detail: 'an e-mail with a link has been sent, unless the address is already confirmed',
    })
  },
})
