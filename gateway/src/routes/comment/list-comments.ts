import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { commentSchema, commentShape } from '../../shapes/comment.js'
import { idText } from '../body-members.js'
import { createAuthorReader } from './authors.js'
import { targetType, targetTypeOf } from './targets.js'

const query = z.object({ target_type: targetType, target_id: idText })

export const listComments = endpoint({
  method: 'GET',
  path: '/comment/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'listComments',
  summary: 'List all comments on an object',
  description: 'The oldest comes first, so answers follow the comments that they answer.',
  query,
  responses: { 200: z.array(commentSchema) },
  errors: { 404: ['not_found'] },
  async handle(input) {
    return ok(new JsonArrayStream(await prefetchFirst(commentsOn(input))))
  },
})

async function* commentsOn(input: Input<unknown, z.output<typeof query>>) {
  const { query, services, streamCall } = input
  const request = { targetType: targetTypeOf(query.target_type), targetId: query.target_id }
  const readAuthors = createAuthorReader(input)
  for await (const { comments } of services.comments.listComments(request, streamCall)) {
    const authorOf = await readAuthors(comments.map(({ author }) => author))
    for (const comment of comments) yield commentShape(comment, authorOf(comment.author))
  }
}
