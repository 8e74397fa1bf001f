import { z } from 'zod'
import { created, type Endpoint, endpoint, ok } from '../../endpoint.js'
import { reactionSchema, reactionShape } from '../../shapes/comment.js'
import { authorsFor } from '../comment/authors.js'
import { found } from '../found.js'
import { closedBody, idText } from '../members.js'

export const createReaction: Endpoint = endpoint({
  method: 'POST',
  path: '/reaction/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary:
    'React to a comment with one emoji; 200 with the reaction that is there when it is repeated',
  body: closedBody({ comment_id: idText, emoji: z.string('must be a string') }),
  responses: { 200: reactionSchema, 201: reactionSchema },
  async handle(input) {
    const { body, services, call } = input
    const request = { commentId: body.comment_id, emoji: body.emoji }
    const answer = await services.comments.createReaction(request, call)
    const reaction = found(answer.reaction)
    const authorOf = await authorsFor(input)([reaction.username])
    const shape = reactionShape(reaction, authorOf(reaction.username))
    return answer.created ? created(shape) : ok(shape)
  },
})
