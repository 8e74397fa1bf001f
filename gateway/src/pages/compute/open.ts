import type { Route } from '../../endpoint.js'
import { idIn } from '../ids.js'
import { signInReply } from '../page.js'
import { requireCompute } from './status.js'

/** Leads to the notebook server of the reader, with an address that works once. */
export const openNotebook: Route = {
  method: 'GET',
  path: '/notebook/:id/open/',
  since: 'v1',
  auth: 'required',
  acceptsSession: true,
  errorReply: signInReply,
  async handle(input) {
    requireCompute(input)
    const { compute } = input.services
    const { redirectUrl } = await compute.connectInstance({ id: idIn(input) }, input.call)
    const headers = { location: redirectUrl, 'cache-control': 'no-store' }
    return { status: 303, headers, empty: true }
  },
}
