import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { commentSchema } from '../../shapes/comment.js'
import { aiErrors } from '../ai-errors.js'
import { commentWithAuthor } from './comment-with-author.js'

export const createAiResponse: Endpoint = endpoint({
  method: 'POST',
  path: '/comment/:id/create_ai_response/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createAiResponse',
  summary: 'Let AI answer a comment',
  description:
    'The answer is an empty comment of the user `ai`, which a task fills. Who asked for it may delete it.',
  responses: { 201: commentSchema },
  errors: aiErrors,
  async handle(input) {
    const { params, services, call } = input
    const request = { parentCommentId: params.id ?? '' }
    const { comment } = await services.storyWriter.startReply(request, call)
    return created(await commentWithAuthor(input, comment))
  },
})
