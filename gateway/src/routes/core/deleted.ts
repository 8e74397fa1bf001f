import type { Deletion, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, type Input, ok, type Services } from '../../endpoint.js'
import { datetime, isoOrNull, uuid } from '../../shapes/common.js'
import { entityTypeOf } from '../../shapes/entity-type.js'
import { clampLimit, limitHeader, limitQuery, offsetQuery } from '../limit.js'
import { listEndpoint, type PageRequest } from '../list.js'
import { nounOf } from '../nouns.js'
import type { Resource } from './resources.js'

const limits = { standard: 100, max: 1000 }

const query = { offset: offsetQuery, limit: limitQuery(limits) }

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
  listEndpoint({
    ...route,
    since: 'v1',
    auth: 'required',
    description:
      'The newest comes first. Objects that were deleted with their parent are not listed.',
    query,
    item: deletionSchema,
    readPage: ({ params, services, call }, page) =>
      readDeletions(services, { id: params.id ?? '', type, offset: 0, ...page }, call),
    whole: {
      schema: z.array(deletionSchema),
      async read({ params, query, services, call }) {
        const limit = clampLimit(query.limit, limits)
        const page = { pageSize: limit, pageToken: '', offset: query.offset ?? 0 }
        const request = { id: params.id ?? '', type, ...page }
        return ok((await readDeletions(services, request, call)).items, limitHeader(limit))
      },
    },
  })

type Request = PageRequest & { id: string; type: NodeType; offset: number }

async function readDeletions({ catalog }: Services, request: Request, call: Input['call']) {
  const { deletions, nextPageToken } = await catalog.listDeletions(request, call)
  return { items: deletions.map(deletionShape), nextPageToken }
}

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
