import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { found } from '../found.js'

export const listUsers = endpoint({
  method: 'GET',
  path: '/user/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'The caller, or with `q` the users whose names begin so',
  query: z.object({ q: z.string().optional() }),
  responses: { 200: z.array(userSchema) },
  async handle({ query, username, services, call }) {
    if (!query.q) {
      const { user } = await services.identity.getUser({ username }, call)
      return ok([userShape(found(user))])
    }
    const { users } = await services.identity.searchUsers({ query: query.q }, call)
    return ok(users.map(userShape))
  },
})
