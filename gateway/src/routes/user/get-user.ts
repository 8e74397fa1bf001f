import { endpoint, ok } from '../../endpoint.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { found } from '../found.js'

export const getUser = endpoint({
  method: 'GET',
  path: '/user/:username/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'One user; another one shows only what is public',
  responses: { 200: userSchema },
  async handle({ params, services, call }) {
    const { user } = await services.identity.getUser({ username: params.username ?? '' }, call)
    return ok(userShape(found(user)))
  },
})
