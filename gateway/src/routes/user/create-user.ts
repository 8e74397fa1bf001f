import { z } from 'zod'
import { created, endpoint } from '../../endpoint.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { found } from '../found.js'
import { tokensSchema } from '../token/issue-token.js'

export const createUser = endpoint({
  method: 'POST',
  path: '/user/',
  since: 'v1',
  auth: 'optional',
  idempotent: false,
  summary: 'Sign up; a primary workspace comes with the user',
  body: z.object({
    username: z.string('must be a string'),
    email: z.string('must be a string'),
    password: z.string('must be a string'),
    first_name: z.string('must be a string').nullish(),
    last_name: z.string('must be a string').nullish(),
  }),
  responses: { 201: userSchema.extend({ auth: tokensSchema }) },
  async handle({ body, headers, services, call }) {
    const { username, email, password, first_name, last_name } = body
    const request = {
      username,
      email,
      password,
      firstName: first_name ?? '',
      lastName: last_name ?? '',
      userAgent: headers['user-agent'] ?? '',
    }
    const { user, tokens } = await services.identity.createUser(request, call)
    const { access, refresh } = found(tokens)
    return created({ ...userShape(found(user)), auth: { access, refresh } })
  },
})
