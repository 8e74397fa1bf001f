import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { etagOf } from '../if-match.js'
import { isShallow, shallowQuery } from '../members.js'
import { openNode } from '../nodes.js'
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
      const { type, opening } = container
      const shallow = isShallow(input.query)
      const opened = await openNode(input, input.params.id ?? '', type, shallow ? {} : opening)
      const { node } = opened
      const shape = shallow ? container.shallow(node, input.version) : container.full(input, opened)
      return ok(await shape, etagOf(node))
    },
  })
