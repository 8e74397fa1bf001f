import { statement } from '@figbase/kit'
import type { CommentRow, Tx } from '../db/schema.js'

/** What a deletion took away: rows, those of them that answered no other, and bytes of content; and when. */
export type Removed = { comments: number; threads: number; content_bytes: number; at: string }

// An ancestor goes too when it is a place only, and what goes is its one answer.
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

/** A comment that nobody answered, and places above it that it kept. Its target is locked. */
export async function deleteUnanswered(tx: Tx, id: CommentRow['id']): Promise<Removed | undefined> {
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

/** Leaves the place of a comment, without reactions. Its target is locked. Undefined when it was deleted. */
export async function emptyComment(tx: Tx, id: string): Promise<Removed | undefined> {
  const [row] = await emptied(tx, id)
  return row && { comments: 0, threads: 0, ...row }
}
