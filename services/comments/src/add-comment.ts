import { isUuid } from '@figbase/kit/ids'
import type { Ctx } from './context.js'
import type { CommentRow, Tx } from './db/schema.js'
import { parentNotFound, tooDeep, tooManyComments, tooMuchText } from './errors.js'
import { findComment, insertComment, type NewComment } from './queries/comments.js'
import { addToTargetCounts, type TargetRow } from './queries/targets.js'

type Added = Pick<NewComment, 'id' | 'author' | 'content' | 'requested_by'>

/** Adds a comment to a locked target, below `parentId` unless it is empty. */
export async function addComment(
  ctx: Ctx,
  tx: Tx,
  target: TargetRow,
  parentId: string,
  comment: Added,
): Promise<{ row: CommentRow; parent: CommentRow | undefined }> {
  const contentBytes = Buffer.byteLength(comment.content)
  checkCapacity(ctx, target, contentBytes)
  const parent = await findParentComment(ctx, tx, target.id, parentId)
  const depth = (parent?.depth ?? 0) + 1
  const place = { target_id: target.id, parent_id: parent?.id ?? null, depth }
  const row = await insertComment(tx, { ...place, ...comment })
  await addToTargetCounts(tx, target.id, { comments: 1, threads: parent ? 0 : 1, contentBytes })
  return { row, parent }
}

function checkCapacity({ cfg }: Ctx, { comments, content_bytes }: TargetRow, contentBytes: number) {
  const { commentsMax, commentsBytesMax } = cfg
  if (comments >= commentsMax) throw tooManyComments(commentsMax)
  if (Number(content_bytes) + contentBytes > commentsBytesMax) throw tooMuchText(commentsBytesMax)
}

/** The comment to reply to, which may be a placeholder: threads continue below deleted comments. */
async function findParentComment({ cfg }: Ctx, tx: Tx, targetId: string, id: string) {
  if (!id) return undefined
  const parent = isUuid(id) ? await findComment(tx, id) : undefined
  if (parent?.target_id !== targetId) throw parentNotFound()
  if (parent.depth >= cfg.depthMax) throw tooDeep(cfg.depthMax)
  return parent
}
