import { unauthenticated } from '@figbase/kit'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { detailSchema } from '../../shapes/detail.js'
import { closedBody } from '../members.js'

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/user/:username/verify_email/',
  since: 'v1',
  auth: 'optional',
  idempotent: false,
  summary: 'Confirm the e-mail address by the `token` of a mail; without one, be sent such a mail',
  isBodyOptional: true,
  body: closedBody({ token: z.string('must be a string').nullish() }),
  responses: { 200: detailSchema },
  async handle({ params, body, username: caller, services, call }) {
    const { username = '' } = params
    if (body.token) {
      await services.accounts.verifyEmail({ token: body.token, username }, call)
      return ok({ detail: 'the address is confirmed' })
    }
    if (!caller) throw unauthenticated('not_authenticated', 'sign in, or send the token of a mail')
    await services.accounts.requestEmailVerification({ username }, call)
    return ok({
      detail: 'a mail with a link is on its way, unless the address is confirmed already',
    })
  },
})
