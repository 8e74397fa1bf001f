import { z } from 'zod'
import { type Endpoint, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { pageOfNodes } from '../../nodes/lists.js'
import { listEndpoint } from '../list.js'
import { nounOf } from '../nouns.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import { updatedAfterIn, updatedAfterQuery } from '../updated-after.js'
import type { Container } from './container.js'

export const listContainers = (container: Container): Endpoint =>
  listEndpoint({
    path: `/${container.segment}/`,
    since: 'v1',
    auth: 'required',
    operationId: `list${nounOf(container.segment).idParts}`,
    summary: `List the ${nounOf(container.segment).many} that the caller may view`,
    description: 'The oldest comes first. Pages are shallow.',
    query: { ...shallowQuery.shape, ...updatedAfterQuery },
    item: container.shallowSchema,
    async readPage(input, request) {
      const { type } = container
      const page = await pageOfNodes(input, { type, ...request, ...updatedAfterIn(input.query) })
      return { ...page, items: page.items.map((node) => container.shallow(node, input.version)) }
    },
    whole: {
      schema: z.array(z.union([container.fullSchema, container.shallowSchema])),
      async read(input) {
        if (isShallow(input.query) || input.query.updated_after) return undefined
        const listed = container.listed?.(input)
        return listed && ok(new JsonArrayStream(await prefetchFirst(listed)))
      },
    },
    async count({ services, call }) {
      return (await services.catalog.countNodes({ type: container.type }, call)).count
    },
  })
