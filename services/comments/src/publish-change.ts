import type { HandlerContext } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { principal } from '@figbase/kit/rpc'
import type { CommentAction } from '@figbase/proto/comments/events'
import type { Ctx } from './context.js'
import type { CommentRow, Tx } from './db/schema.js'
import { nodeTypeOf } from './domain/target.js'
import { commentChanged } from './events.js'

export type Change = {
  action: CommentAction
  workspaceId: string
  silent: boolean
  /** The users whom the comment newly mentions. */
  mentioned?: string[]
  /** The author of the comment to which a new comment replies. */
  parentAuthor?: string
}

/** Publishes a change of a comment by its author. `comment` is the state after it; its target is locked. */
export async function publishChange(
  { publish }: Ctx,
  tx: Tx,
  comment: CommentRow,
  { action, workspaceId, silent, mentioned = [], parentAuthor = '' }: Change,
  call: HandlerContext,
): Promise<void> {
  const change = {
    targetId: comment.target_id,
    targetType: nodeTypeOf(comment.target_type),
    commentId: comment.id,
    parentCommentId: comment.parent_id ?? '',
    action,
    workspaceId,
    at: toTimestamp(comment.updated_on),
    byApiKey: principal(call).apiKey !== undefined,
    silent,
    mentioned,
    parentAuthor,
  }
  await publish(tx, commentChanged, change, call)
}
