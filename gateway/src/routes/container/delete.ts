import type { NodeType } from '@figbase/proto/catalog'
import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import { expectedVersion } from '../if-match.js'
import { isSilent, silentQuery, withArticle } from '../members.js'

/** Deletion is catalog's, whichever service owns the content. */
export const deleteNode = (segment: string, type: NodeType): Endpoint =>
  endpoint({
    method: 'DELETE',
    path: `/${segment}/:id/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Delete ${withArticle(segment)} with everything below it`,
    query: silentQuery,
    responses: { 204: null },
    async handle(input) {
      const { params, query, services, call } = input
      const condition = await expectedVersion(input, type)
      const request = { id: params.id ?? '', type, ...condition, silent: isSilent(query) }
      await services.catalog.deleteNode(request, call)
      return noContent
    },
  })
