import type { NodeType } from '@figbase/proto/catalog'
import { type Endpoint, endpoint, type Input, noContent } from '../../endpoint.js'
import { expectedVersion } from '../if-match.js'
import { isSilent, silentQuery, withArticle } from '../members.js'
import { getNode } from '../nodes.js'

type Condition = { expectedVersion?: number }

/** Deletion is catalog's, whichever service owns the content. `condition` answers what `If-Match` asks of it. */
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
