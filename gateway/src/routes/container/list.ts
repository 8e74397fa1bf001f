import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { visibleNodes } from '../../nodes/lists.js'
import { nounOf } from '../nouns.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import type { Container } from './container.js'

export const listContainers = (container: Container): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${container.segment}/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `list${nounOf(container.segment).idParts}`,
    summary: `List the ${nounOf(container.segment).many} that the caller may view`,
    description: 'The oldest comes first.',
    query: shallowQuery,
    responses: { 200: z.array(z.union([container.fullSchema, container.shallowSchema])) },
    async handle(input) {
      const listed = isShallow(input.query) ? undefined : container.listed?.(input)
      return ok(new JsonArrayStream(await prefetchFirst(listed ?? shallow())))

      async function* shallow() {
        for await (const node of visibleNodes(input, container.type)) {
          yield container.shallow(node, input.version)
        }
      }
    },
  })
