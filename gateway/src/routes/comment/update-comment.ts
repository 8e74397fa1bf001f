import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { commentSchema } from '../../shapes/comment.js'
import { closedBody } from '../body-members.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { commentWithAuthor } from './comment-with-author.js'
import { content } from './content.js'

export const updateComment: Endpoint = endpoint({
  method: 'PUT',
  path: '/comment/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'updateComment',
  summary: 'Edit a comment',
  description: 'Only the author may edit it. The comment is then marked as edited.',
  query: silentQuery,
  body: closedBody({ content }, commentSchema),
  responses: { 200: commentSchema },
  errors: { 429: ['too_many_mentions'] },
  async handle(input) {
    const { params, query, body, services, call } = input
    const request = { id: params.id ?? '', content: body.content, silent: isSilent(query) }
    const { comment } = await services.comments.updateComment(request, call)
    return ok(await commentWithAuthor(input, comment))
  },
})
