import type { Deletion } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { datetime, isoOrNull, uuid } from '../../shapes/common.js'
import { entityTypeOf } from '../../shapes/entity-type.js'
import { clampLimit, limitHeader, limitQuery, offsetQuery } from '../limit.js'
import type { Resource } from './resources.js'

const limits = { standard: 100, max: 1000 }

const query = z.object({ offset: offsetQuery, limit: limitQuery })

const deletionSchema = z.object({
  api_id: uuid,
  entity_type: z.string(),
  name: z.string().nullable(),
  deleted_by: z.string(),
  deleted_on: datetime,
  restorable_until: datetime,
})

const deletionShape = (deletion: Deletion) => ({
  api_id: deletion.id,
  entity_type: entityTypeOf(deletion.type),
  name: deletion.name || null,
  deleted_by: deletion.deletedBy,
  deleted_on: isoOrNull(deletion.deletedOn),
  restorable_until: isoOrNull(deletion.restorableUntil),
})

const deletedRoute = ({ type }: Resource, path: string, summary: string): Endpoint =>
  endpoint({
    method: 'GET',
    path,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary,
    query,
    responses: { 200: z.array(deletionSchema) },
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
  const rest = 'that can be restored, newest first'
  return [
    deletedRoute(
      resource,
      `/${segment}/deleted/`,
      `List each deleted ${segment} of the caller ${rest}`,
    ),
    deletedRoute(
      resource,
      `/${segment}/:id/deleted/`,
      `List deleted objects of the ${segment} ${rest}`,
    ),
  ]
}
