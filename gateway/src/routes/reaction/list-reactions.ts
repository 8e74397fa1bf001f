import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { reactionSchema, reactionShape } from '../../shapes/comment.js'
import { idText } from '../body-members.js'
import { createAuthorReader } from '../comment/authors.js'

export const listReactions: Endpoint = endpoint({
  method: 'GET',
  path: '/reaction/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'listReactions',
  summary: 'List the reactions to a comment',
  description: 'The oldest comes first.',
  query: z.object({ comment_id: idText }),
  responses: { 200: z.array(reactionSchema) },
  errors: { 404: ['not_found'] },
  async handle(input) {
    const { query, services, call } = input
    const request = { commentId: query.comment_id }
    const { reactions } = await services.comments.listReactions(request, call)
    const authorOf = await createAuthorReader(input)(reactions.map(({ username }) => username))
    return ok(reactions.map((reaction) => reactionShape(reaction, authorOf(reaction.username))))
  },
})
