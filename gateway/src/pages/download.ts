import type { Route } from '../endpoint.js'
import { download as downloadOf } from '../routes/data/download.js'
import { idIn } from './ids.js'
import { errorReply } from './page.js'

/** Downloads a data object with the session cookie. The headers keep other sites from embedding it. */
export const download: Route = {
  method: 'GET',
  path: '/data/:id/',
  since: 'v1',
  auth: 'optional',
  acceptsSession: true,
  errorReply,
  async handle(input) {
    idIn(input)
    const reply = await downloadOf(input)
    const headers = {
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    }
    return { ...reply, headers: { ...reply.headers, ...headers } }
  },
}
