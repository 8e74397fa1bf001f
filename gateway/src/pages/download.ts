import type { Endpoint } from '../endpoint.js'
import { download as downloadOf } from '../routes/data/download.js'
import { idIn } from './ids.js'
import { refusal } from './page.js'

/** What a page lists, for whom its session lets: no other site gets it out of their browser. */
export const download: Endpoint = {
  method: 'GET',
  path: '/data/:id/',
  since: 'v1',
  auth: 'optional',
  takesSession: true,
  idempotent: true,
  summary: 'The bytes of a data object, for people',
  responses: {},
  refusal,
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
