import { z } from 'zod'
import { type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { commentSchema, commentShape } from '../../shapes/comment.js'
import { idText } from '../body-members.js'
import { listEndpoint } from '../list.js'
import { createAuthorReader } from './authors.js'
import { targetType, targetTypeOf } from './targets.js'

const query = { target_type: targetType, target_id: idText }

export const listComments = listEndpoint({
  path: '/comment/',
  since: 'v1',
  auth: 'optional',
  operationId: 'listComments',
  summary: 'List all comments on an object',
  description: 'The oldest comes first, so answers follow the comments that they answer.',
  query,
  item: commentSchema,
  errors: { 404: ['not_found'] },
  async readPage(input, { pageSize, pageToken }) {
    const { services, streamCall } = input
    const request = { ...targetIn(input.query), limit: pageSize, pageToken }
    const readAuthors = createAuthorReader(input)
    const items: unknown[] = []
    let nextPageToken = ''
    for await (const part of services.comments.listComments(request, streamCall)) {
      const authorOf = await readAuthors(part.comments.map(({ author }) => author))
      for (const comment of part.comments)
        items.push(commentShape(comment, authorOf(comment.author)))
      nextPageToken = part.nextPageToken
    }
    return { items, nextPageToken }
  },
  whole: {
    schema: z.array(commentSchema),
    async read(input) {
      return ok(new JsonArrayStream(await prefetchFirst(commentsOn(input))))
    },
  },
})

type Query = z.output<z.ZodObject<typeof query>>

const targetIn = ({ target_type: type, target_id: targetId }: Query) => ({
  targetType: targetTypeOf(type),
  targetId,
})

async function* commentsOn(input: Input<unknown, Query>) {
  const { query, services, streamCall } = input
  const readAuthors = createAuthorReader(input)
  for await (const { comments } of services.comments.listComments(targetIn(query), streamCall)) {
    const authorOf = await readAuthors(comments.map(({ author }) => author))
    for (const comment of comments) yield commentShape(comment, authorOf(comment.author))
  }
}
