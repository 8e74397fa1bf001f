import { z } from 'zod'
import { created, type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { reactionSchema, reactionShape } from '../../shapes/comment.js'
import { closedBody, idText } from '../body-members.js'
import { createAuthorReader } from '../comment/authors.js'

export const createReaction: Endpoint = endpoint({
  method: 'POST',
  path: '/reaction/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'createReaction',
  summary: 'React to a comment with an emoji',
  description: 'A repeated request gets the existing reaction, with the status 200.',
  body: closedBody({ comment_id: idText, emoji: z.string('must be a string') }),
  responses: { 200: reactionSchema, 201: reactionSchema },
  errors: { 404: ['not_found'] },
  async handle(input) {
    const { body, services, call } = input
    const request = { commentId: body.comment_id, emoji: body.emoji }
    const answer = await services.comments.createReaction(request, call)
    const reaction = required(answer.reaction)
    const authorOf = await createAuthorReader(input)([reaction.username])
    const shape = reactionShape(reaction, authorOf(reaction.username))
    return answer.created ? created(shape) : ok(shape)
  },
})
