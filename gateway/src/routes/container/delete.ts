import type { NodeType } from '@figbase/proto/catalog'
import { type Endpoint, endpoint, type Input, noContent } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { expectedVersion } from '../if-match.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { withArticle } from '../with-article.js'

type Condition = { expectedVersion?: number }

/** Catalog deletes nodes of all types. `condition` reads the version that `If-Match` requires. */
export const deleteNode = (
  segment: string,
  type: NodeType,
  condition: (input: Input) => Promise<Condition> = (input) =>
    expectedVersion(input, () => getNode(input, input.params.id ?? '', type)),
): Endpoint =>
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
      const expected = await condition(input)
      const request = { id: params.id ?? '', type, ...expected, silent: isSilent(query) }
      await services.catalog.deleteNode(request, call)
      return noContent
    },
  })
