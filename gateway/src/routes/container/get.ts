import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { etagOf } from '../if-match.js'
import { isShallow, shallowQuery } from '../members.js'
import { getNode } from '../nodes.js'
import type { Container } from './container.js'

export const getContainer = (container: Container): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${container.segment}/:id/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    summary: `One ${container.segment} with what is in it`,
    query: shallowQuery,
    responses: { 200: z.union([container.fullSchema, container.shallowSchema]) },
    async handle(input) {
      const node = await getNode(input, input.params.id ?? '', container.type)
      const shape = isShallow(input.query)
        ? container.shallow(node, input.version)
        : container.full(input, node)
      return ok(await shape, etagOf(node))
    },
  })
