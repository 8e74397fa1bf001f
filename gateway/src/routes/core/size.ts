import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { nounOf } from '../nouns.js'
import type { Resource } from './resources.js'

export const sizeSchema = z
  .object({ size_bytes: z.int() })
  .meta({ id: 'Size', description: 'The size of an object.' })

export const sizeRoute = ({ segment, type }: Resource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/size/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}Size`,
    summary: `Get the size of ${nounOf(segment).a}`,
    description: 'The size is that of the decoded data of everything below it.',
    responses: { 200: sizeSchema },
    async handle(input) {
      const node = await getNode(input, input.params.id ?? '', type)
      return ok({ size_bytes: Number(node.sizeBytes) })
    },
  })
