import { type Endpoint, endpoint } from '../../endpoint.js'
import { nounOf } from '../nouns.js'
import { isSilent, silentQuery } from '../query-flags.js'
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
    operationId: `restore${nounOf(segment).idPart}`,
    summary: `Restore ${nounOf(segment).a} that was deleted`,
    description: 'Everything below it that was deleted with it is restored, too.',
    query: silentQuery,
    responses: { 200: get.responses[200] ?? null },
    errors: {
      403: ['max_storage_bytes', 'max_users'],
      409: ['already_purged', 'not_deleted', 'parent_deleted', 'parent_moved', 'too_many_children'],
    },
    ...(get.responseHeaders && { responseHeaders: get.responseHeaders }),
    async handle(input) {
      const { params, query, services, call } = input
      const request = { id: params.id ?? '', type, silent: isSilent(query) }
      await services.catalog.restoreNode(request, call)
      return get.handle({ ...input, query: {} }, nothing())
    },
  })

async function* nothing() {}
