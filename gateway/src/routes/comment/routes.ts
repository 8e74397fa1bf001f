import type { Endpoint } from '../../endpoint.js'
import { createAiResponse } from './create-ai-response.js'
import { createComment } from './create-comment.js'
import { deleteComment } from './delete-comment.js'
import { listComments } from './list-comments.js'
import { updateComment } from './update-comment.js'

export const comments: Endpoint[] = [
  listComments,
  createComment,
  updateComment,
  deleteComment,
  createAiResponse,
]
