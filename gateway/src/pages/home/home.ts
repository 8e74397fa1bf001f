import type { Input, Route } from '../../endpoint.js'
import { wantsPage } from '../../http/wants-page.js'
import { newest } from '../../versions.js'
import { page } from '../page.js'
import { overviewPage } from './overview.js'
import { welcomePage } from './welcome.js'

const declared = page('/', (input) => (input.username ? overviewPage(input) : welcomePage(input)))

/** A page for browsers, and JSON for programs. */
export const home: Route = {
  ...declared,
  async handle(input: Input, upload) {
    const reply = wantsPage(input.headers)
      ? await declared.handle(input, upload)
      : { status: 200, body: about }
    const { vary } = reply.headers ?? {}
    return { ...reply, headers: { ...reply.headers, vary: vary ? `Accept, ${vary}` : 'Accept' } }
  },
}

const about = {
  service: 'figbase',
  api: `/api/${newest}/`,
  documentation: `/api/${newest}/openapi.json`,
  guide: '/docs/',
}
