import { statement } from '@figbase/kit/db'
import type { CommentRow, Tx } from '../db/schema.js'

/** The result of a deletion: deleted rows, the top-level ones among them, deleted bytes of content, and the time. */
export type Removed = { comments: number; threads: number; content_bytes: number; at: string }

// Also deletes the placeholders above the comment whose only reply is deleted with it.
const removed = statement<Removed>(`
  with recursive leaf as (
    select c.id, c.parent_id, octet_length(c.content) as bytes from comment c
     where c.id = $1 and not c.is_deleted and not exists (select from comment a where a.parent_id = c.id)
    union all
    select p.id, p.parent_id, 0 from leaf l join comment p on p.id = l.parent_id
     where p.is_deleted and not exists (select from comment a where a.parent_id = p.id and a.id <> l.id)
  ), gone as (
    delete from comment c using leaf l where c.id = l.id returning l.parent_id, l.bytes
  )
  select count(*)::int as comments, count(*) filter (where parent_id is null)::int as threads,
         coalesce(sum(bytes), 0)::int as content_bytes, clock_timestamp() as at
    from gone`)

/**
 * Deletes a comment without replies, and the placeholders above it that only it kept. Undefined when the comment has
 * replies or was deleted. Its target is locked.
 */
export async function deleteWithoutReplies(
  tx: Tx,
  id: CommentRow['id'],
): Promise<Removed | undefined> {
  const [row] = await removed(tx, id)
  return row && row.comments > 0 ? row : undefined
}

const emptied = statement<Pick<Removed, 'content_bytes' | 'at'>>(`
  with c as materialized (
    select id, octet_length(content) as bytes from comment where id = $1 and not is_deleted
  ), reactions as (
    delete from reaction r using c where r.comment_id = c.id
  ), mentions as (
    delete from mention m using c where m.comment_id = c.id
  )
  update comment set content = '', is_deleted = true, is_edited = false, updated_on = clock_timestamp()
    from c where comment.id = c.id
  returning c.bytes as content_bytes, comment.updated_on as at`)

/**
 * Turns a comment with replies into a placeholder without content, reactions and mentions. Undefined when it was
 * deleted before. Its target is locked.
 */
export async function clearComment(tx: Tx, id: string): Promise<Removed | undefined> {
  const [row] = await emptied(tx, id)
  return row && { comments: 0, threads: 0, ...row }
}
