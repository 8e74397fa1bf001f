import type { HandlerContext } from '@connectrpc/connect'
import { forward, isUuid, principal, unauthenticated } from '@figbase/kit'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from './context.js'
import type { CommentRow } from './db/schema.js'
import { nodeTypeOf } from './domain/target.js'
import { noSuchComment } from './errors.js'
import { findComment } from './queries/comments.js'

/** Refuses who has no part in the discussion of an object; answers the workspace in which it is. */
export async function requireComment(
  { catalog }: Pick<Ctx, 'catalog'>,
  target: { id: string; type: NodeType },
  call: HandlerContext,
): Promise<string> {
  const request = { ...target, permission: Permission.COMMENT }
  const { workspaceId } = await catalog.checkAccess(request, forward(call))
  return workspaceId
}

export type OpenComment = { comment: CommentRow; workspaceId: string }

/** A comment that was not deleted, of a discussion in which the caller has a part. */
export async function openComment(
  ctx: Ctx,
  id: string,
  call: HandlerContext,
): Promise<OpenComment> {
  const comment = isUuid(id) ? await findComment(ctx.db, id) : undefined
  if (!comment || comment.is_deleted) {
    // As catalog: who is anonymous learns nothing of what there is.
    if (!principal(call).username) throw unauthenticated('not_authenticated', 'sign in first')
    throw noSuchComment()
  }
  const target = { id: comment.target_id, type: nodeTypeOf(comment.target_type) }
  return { comment, workspaceId: await requireComment(ctx, target, call) }
}
