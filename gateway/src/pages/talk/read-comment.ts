import type { Comment } from '@figbase/proto/comments'
import type { Input } from '../../endpoint.js'
import { pageNotFound } from '../ids.js'
import type { Kind } from '../kinds.js'

/** A comment on an object; throws a 404 if there is none with this id. */
export async function readComment(
  { services, streamCall }: Input,
  { type: targetType }: Kind,
  targetId: string,
  id: string,
): Promise<Comment> {
  for await (const { comments } of services.comments.listComments(
    { targetId, targetType, commentId: id },
    streamCall,
  )) {
    const found = comments.find((comment) => comment.id === id)
    if (found) return found
  }
  throw pageNotFound()
}
