import { type Endpoint, endpoint } from '../../endpoint.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { withArticle } from '../with-article.js'
import type { Resource } from './resources.js'

/** Responds like `get`, the route of the object itself. */
export const restoreNode = ({ segment, type }: Resource, get: Endpoint): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${segment}/:id/restore/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'no effect: it creates nothing',
    summary: `Restore ${withArticle(segment)} that was deleted, with everything below it`,
    query: silentQuery,
    responses: { 200: get.responses[200] ?? null },
    async handle(input) {
      const { params, query, services, call } = input
      const request = { id: params.id ?? '', type, silent: isSilent(query) }
      await services.catalog.restoreNode(request, call)
      return get.handle({ ...input, query: {} }, nothing())
    },
  })

async function* nothing() {}
