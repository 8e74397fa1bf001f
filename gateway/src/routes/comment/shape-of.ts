import type { Comment } from '@figbase/proto/comments'
import type { Input } from '../../endpoint.js'
import { commentShape } from '../../shapes/comment.js'
import { found } from '../found.js'
import { authorsFor } from './authors.js'

/** One comment that a service answered, with its author. */
export async function shapeOf(input: Input, answered: Comment | undefined) {
  const comment = found(answered)
  const authorOf = await authorsFor(input)([comment.author])
  return commentShape(comment, authorOf(comment.author))
}
