import type { CallOptions } from '@connectrpc/connect'
import type { Comment } from '@figbase/proto/comments'
import type { Ctx } from '../context.js'
import type { Target } from './read-target.js'

/** A comment and those above it, oldest first, with what they are about. */
export type Thread = { comments: Comment[]; target: Target }

/** Requires COMMENT on the target. */
export async function readThread(
  { comments: service }: Pick<Ctx, 'comments'>,
  commentId: string,
  as: CallOptions,
): Promise<Thread> {
  const comments: Comment[] = []
  let workspaceId = ''
  for await (const part of service.readThread({ commentId }, as)) {
    if (part.comment) comments.push(part.comment)
    workspaceId = part.workspaceId
  }
  const last = comments.at(-1)
  if (!last) throw new Error('comments returned no thread')
  return { comments, target: { id: last.targetId, type: last.targetType, workspaceId } }
}
