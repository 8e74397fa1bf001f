import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { userSchema, userShape } from '../../shapes/user.js'

export const getUser = endpoint({
  method: 'GET',
  path: '/user/:username/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getUser',
  summary: 'Get a user',
  description: 'Of other users, only the public members are shown.',
  responses: { 200: userSchema },
  async handle({ params, services, call }) {
    const { user } = await services.identity.getUser({ username: params.username ?? '' }, call)
    return ok(userShape(required(user)))
  },
})
