import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'

export const tokensSchema = z
  .object({ access: z.string(), refresh: z.string() })
  .meta({ id: 'Tokens', description: 'The tokens of a sign-in.' })

export const issueToken = endpoint({
  method: 'POST',
  path: '/api/token/',
  since: 'v1',
  auth: 'none',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'issueToken',
  summary: 'Sign in with a username and a password',
  description:
    'The access token is sent with each request, as `Authorization: Bearer`. The refresh token gets new access tokens.',
  acceptsForm: true,
  body: z
    .object({
      username: z.string(),
      password: z.string(),
      remember_me: z.union([z.boolean(), z.enum(['true', 'false', 'on', '1', '0'])]).nullish(),
    })
    .meta({ id: 'SignIn', description: 'The credentials of a user.' }),
  responses: { 200: tokensSchema },
  errors: { 401: ['authentication_failed'], 429: ['too_busy'] },
  async handle({ body, headers, services, call }) {
    const rememberMe = [true, 'true', 'on', '1'].includes(body.remember_me ?? false)
    const { username, password } = body
    const userAgent = headers['user-agent'] ?? ''
    const request = { username, password, rememberMe, userAgent }
    const { tokens } = await services.identity.issueToken(request, call)
    const { access, refresh } = required(tokens)
    return ok({ access, refresh })
  },
})
