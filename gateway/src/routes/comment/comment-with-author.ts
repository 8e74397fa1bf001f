import type { Comment } from '@figbase/proto/comments'
import type { Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { commentShape } from '../../shapes/comment.js'
import { createAuthorReader } from './authors.js'

/** The response for one comment, with its author. */
export async function commentWithAuthor(input: Input, answered: Comment | undefined) {
  const comment = required(answered)
  const authorOf = await createAuthorReader(input)([comment.author])
  return commentShape(comment, authorOf(comment.author))
}
