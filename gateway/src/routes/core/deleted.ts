import type { Deletion } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { datetime, isoOrNull, uuid } from '../../shapes/common.js'
import { entityTypeOf } from '../../shapes/entity-type.js'
import { clampLimit, limitHeader, limitQuery, offsetQuery } from '../limit.js'
import { nounOf } from '../nouns.js'
import type { Resource } from './resources.js'

const limits = { standard: 100, max: 1000 }

const query = z.object({ offset: offsetQuery, limit: limitQuery(limits) })

const deletionSchema = z
  .object({
    api_id: uuid,
    entity_type: z.string(),
    name: z.string().nullable(),
    deleted_by: z.string(),
    deleted_on: datetime,
    restorable_until: datetime,
  })
  .meta({ id: 'Deletion', description: 'A deleted object that can be restored.' })

const deletionShape = (deletion: Deletion) => ({
  api_id: deletion.id,
  entity_type: entityTypeOf(deletion.type),
  name: deletion.name || null,
  deleted_by: deletion.deletedBy,
  deleted_on: isoOrNull(deletion.deletedOn),
  restorable_until: isoOrNull(deletion.restorableUntil),
})

type DeletedRoute = Pick<Endpoint, 'path' | 'operationId' | 'summary'>

const deletedRoute = ({ type }: Resource, route: DeletedRoute): Endpoint =>
  endpoint({
    ...route,
    method: 'GET',
    since: 'v1',
    auth: 'required',
    idempotent: true,
    description:
      'The newest comes first. Objects that were deleted with their parent are not listed.',
    query,
    responses: { 200: z.array(deletionSchema) },
    responseHeaders: ['X-Limit'],
    async handle({ params, query, services, call }) {
      const limit = clampLimit(query.limit, limits)
      const request = { id: params.id ?? '', type, pageSize: limit, offset: query.offset ?? 0 }
      const { deletions } = await services.catalog.listDeletions(request, call)
      return ok(deletions.map(deletionShape), limitHeader(limit))
    },
  })

/** The routes that list deleted workspaces or organizations, and deleted objects in one of them. */
export const deletedRoutes = (resource: Resource): Endpoint[] => {
  const { segment } = resource
  const { a, many, idPart, idParts } = nounOf(segment)
  return [
    deletedRoute(resource, {
      path: `/${segment}/deleted/`,
      operationId: `listDeleted${idParts}`,
      summary: `List the deleted ${many} of the caller that can be restored`,
    }),
    deletedRoute(resource, {
      path: `/${segment}/:id/deleted/`,
      operationId: `listDeletedIn${idPart}`,
      summary: `List the deleted objects of ${a} that can be restored`,
    }),
  ]
}
