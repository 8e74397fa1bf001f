import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { commentSchema } from '../../shapes/comment.js'
import { commentWithAuthor } from './comment-with-author.js'

export const createAiResponse: Endpoint = endpoint({
  method: 'POST',
  path: '/comment/:id/create_ai_response/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  summary: 'Let AI answer a comment; 503 if AI is not available',
  responses: { 201: commentSchema },
  async handle(input) {
    const { params, services, call } = input
    const request = { parentCommentId: params.id ?? '' }
    const { comment } = await services.comments.createAiResponse(request, call)
    return created(await commentWithAuthor(input, comment))
  },
})
