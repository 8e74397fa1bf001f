import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { userSchema, userShape } from '../../shapes/user.js'

export const listUsers = endpoint({
  method: 'GET',
  path: '/user/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listUsers',
  summary: 'List users',
  description: 'The list has the caller, or with `q` all users whose names begin with it.',
  query: z.object({ q: z.string().optional() }),
  responses: { 200: z.array(userSchema) },
  async handle({ query, username, services, call }) {
    if (!query.q) {
      const { user } = await services.identity.getUser({ username }, call)
      return ok([userShape(required(user))])
    }
    const { users } = await services.identity.searchUsers({ query: query.q }, call)
    return ok(users.map(userShape))
  },
})
