import type { HandlerContext } from '@connectrpc/connect'
import { unauthenticated } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, principal } from '@figbase/kit/rpc'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from './context.js'
import type { CommentRow } from './db/schema.js'
import { nodeTypeOf } from './domain/target.js'
import { commentNotFound } from './errors.js'
import { findComment } from './queries/comments.js'

/** Throws when the caller may not comment on the target. Returns the id of its workspace. */
export async function checkCommentAccess(
  { catalog }: Pick<Ctx, 'catalog'>,
  target: { id: string; type: NodeType },
  call: HandlerContext,
): Promise<string> {
  const request = { ...target, permission: Permission.COMMENT }
  const { workspaceId } = await catalog.checkAccess(request, forward(call))
  return workspaceId
}

export type AuthorizedComment = { comment: CommentRow; workspaceId: string }

/** A live comment on a target that the caller may comment on. Throws otherwise. */
export async function authorizeComment(
  ctx: Ctx,
  id: string,
  call: HandlerContext,
): Promise<AuthorizedComment> {
  const comment = isUuid(id) ? await findComment(ctx.db, id) : undefined
  if (!comment || comment.is_deleted) {
    // As in catalog: an anonymous caller gets 401 whether or not the comment exists.
    if (!principal(call).username) throw unauthenticated('not_authenticated', 'sign in first')
    throw commentNotFound()
  }
  const target = { id: comment.target_id, type: nodeTypeOf(comment.target_type) }
  return { comment, workspaceId: await checkCommentAccess(ctx, target, call) }
}
