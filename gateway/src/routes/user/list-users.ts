import { z } from 'zod'
import { required } from '../../required.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { listEndpoint, pageOf } from '../list.js'

export const listUsers = listEndpoint({
  path: '/user/',
  since: 'v1',
  auth: 'required',
  operationId: 'listUsers',
  summary: 'List users',
  description: 'The list has the caller, or with `q` all users whose names begin with it.',
  query: { q: z.string().optional() },
  item: userSchema,
  isShort: true,
  async readPage({ query, username, services, call }, page) {
    if (!query.q) {
      const { user } = await services.identity.getUser({ username }, call)
      return { items: [userShape(required(user))], nextPageToken: '' }
    }
    const { users } = await services.identity.searchUsers({ query: query.q }, call)
    return pageOf(users.map(userShape), (user) => user.username, page)
  },
})
