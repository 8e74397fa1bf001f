import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { reactionSchema, reactionShape } from '../../shapes/comment.js'
import { authorsFor } from '../comment/authors.js'
import { idText } from '../members.js'

export const listReactions: Endpoint = endpoint({
  method: 'GET',
  path: '/reaction/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'The reactions to a comment, oldest first',
  query: z.object({ comment_id: idText }),
  responses: { 200: z.array(reactionSchema) },
  async handle(input) {
    const { query, services, call } = input
    const request = { commentId: query.comment_id }
    const { reactions } = await services.comments.listReactions(request, call)
    const authorOf = await authorsFor(input)(reactions.map(({ username }) => username))
    return ok(reactions.map((reaction) => reactionShape(reaction, authorOf(reaction.username))))
  },
})
