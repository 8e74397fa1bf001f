import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { etagOf } from '../if-match.js'
import { getNode } from '../nodes.js'
import type { Container } from './container.js'

export const getContainer = (container: Container): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${container.segment}/:id/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `One ${container.segment} with what is in it`,
    responses: { 200: container.fullSchema },
    async handle(input) {
      const node = await getNode(input, input.params.id ?? '', container.type)
      return ok(await container.full(input, node), etagOf(node))
    },
  })
