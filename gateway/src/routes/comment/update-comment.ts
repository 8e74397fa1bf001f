import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { commentSchema } from '../../shapes/comment.js'
import { closedBody, isSilent, silentQuery } from '../members.js'
import { content } from './members.js'
import { shapeOf } from './shape-of.js'

export const updateComment: Endpoint = endpoint({
  method: 'PUT',
  path: '/comment/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'Say it otherwise; its author only',
  query: silentQuery,
  body: closedBody({ content }, commentSchema),
  responses: { 200: commentSchema },
  async handle(input) {
    const { params, query, body, services, call } = input
    const request = { id: params.id ?? '', content: body.content, silent: isSilent(query) }
    const { comment } = await services.comments.updateComment(request, call)
    return ok(await shapeOf(input, comment))
  },
})
