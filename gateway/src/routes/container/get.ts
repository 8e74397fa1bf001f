import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { getNodeWithLists } from '../../nodes/node-with-lists.js'
import { etagOf } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import type { Container } from './container.js'

export const getContainer = (container: Container): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${container.segment}/:id/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `get${nounOf(container.segment).idPart}`,
    summary: `Get ${nounOf(container.segment).a}`,
    description: 'The answer includes the objects directly below it, unless `shallow` is set.',
    query: shallowQuery,
    responses: { 200: z.union([container.fullSchema, container.shallowSchema]) },
    responseHeaders: ['ETag'],
    async handle(input) {
      const { type, includes } = container
      const shallow = isShallow(input.query)
      const opened = await getNodeWithLists(
        input,
        input.params.id ?? '',
        type,
        shallow ? {} : includes,
      )
      const { node } = opened
      const shape = shallow ? container.shallow(node, input.version) : container.full(input, opened)
      return ok(await shape, etagOf(node))
    },
  })
