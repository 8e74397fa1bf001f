import type { NodeType } from '@figbase/proto/catalog'
import { type Endpoint, endpoint, type Input, noContent } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { expectedVersion, ifMatchHeader } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { isSilent, silentQuery } from '../query-flags.js'

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
    operationId: `delete${nounOf(segment).idPart}`,
    summary: `Delete ${nounOf(segment).a}`,
    description: 'Everything below it is deleted, too. It can be restored for some time.',
    query: silentQuery,
    requestHeaders: ifMatchHeader,
    responses: { 204: null },
    ...(segment === 'workspace' && { errors: { 409: ['primary_workspace'] } }),
    async handle(input) {
      const { params, query, services, call } = input
      const expected = await condition(input)
      const request = { id: params.id ?? '', type, ...expected, silent: isSilent(query) }
      await services.catalog.deleteNode(request, call)
      return noContent
    },
  })
