import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { uuid } from '../../shapes/common.js'
import { entityTypeOf } from '../../shapes/entity-type.js'
import { nounOf } from '../nouns.js'
import type { Resource } from './resources.js'

const referenceSchema = z
  .object({ entity_type: z.string(), api_id: uuid })
  .meta({ id: 'ObjectReference', description: 'The type and the id of an object.' })

export const childrenRoute = (resource: Resource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${resource.segment}/:id/children/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `list${nounOf(resource.segment).idPart}Children`,
    summary: `List everything below ${nounOf(resource.segment).a}`,
    description: 'The list is recursive, includes data objects, and has no pages.',
    responses: { 200: z.array(referenceSchema) },
    async handle(input) {
      return ok(new JsonArrayStream(await prefetchFirst(descendants(input, resource))))
    },
  })

async function* descendants({ params, services, streamCall }: Input, { type }: Resource) {
  const request = { id: params.id ?? '', type }
  for await (const page of services.catalog.listDescendants(request, streamCall)) {
    for (const node of page.nodes) yield { entity_type: entityTypeOf(node.type), api_id: node.id }
    for (const id of page.dataIds) yield { entity_type: 'external_data', api_id: id }
  }
}
