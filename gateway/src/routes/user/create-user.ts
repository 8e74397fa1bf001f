import { z } from 'zod'
import { created, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { tokensSchema } from '../token/issue-token.js'

export const createUser = endpoint({
  method: 'POST',
  path: '/user/',
  since: 'v1',
  auth: 'optional',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'createUser',
  summary: 'Sign up',
  description:
    'The primary workspace of the user is created, too. The answer has tokens of the new user.',
  body: z.object({
    username: z.string('must be a string'),
    email: z.string('must be a string'),
    password: z.string('must be a string'),
    first_name: z.string('must be a string').nullish(),
    last_name: z.string('must be a string').nullish(),
  }),
  responses: {
    201: userSchema
      .extend({ auth: tokensSchema })
      .meta({ id: 'NewUser', base: 'User', description: 'A user who has just signed up.' }),
  },
  errors: {
    403: ['sign_up_disabled'],
    409: ['username_taken'],
    429: ['too_busy', 'too_many_registrations'],
  },
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
    const { access, refresh } = required(tokens)
    return created({ ...userShape(required(user)), auth: { access, refresh } })
  },
})
