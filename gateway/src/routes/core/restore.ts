import { type Endpoint, endpoint } from '../../endpoint.js'
import { isSilent, silentQuery, withArticle } from '../members.js'
import type { Resource } from './resources.js'

/** Answers what `get`, the route of the object itself, then does. */
export const restoreNode = ({ segment, type }: Resource, get: Endpoint): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${segment}/:id/restore/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    summary: `Bring back ${withArticle(segment)} that was deleted, with everything that went with it`,
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
