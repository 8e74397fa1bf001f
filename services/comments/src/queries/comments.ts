import { type Cursor, type Executor, statement } from '@figbase/kit/db'
import type { CommentRow, Tx } from '../db/schema.js'

const columns = `
  c.id, c.seq, c.target_id, c.parent_id, c.depth, c.author, c.requested_by, c.content, c.is_edited, c.is_deleted,
  c.created_on, c.updated_on, t.type as target_type`

const single = statement<CommentRow>(`
  select ${columns} from comment c join target t on t.id = c.target_id where c.id = $1`)

/** A comment, including placeholders of deleted ones. Uses comment_pkey. */
export async function findComment(db: Executor, id: string): Promise<CommentRow | undefined> {
  return (await single(db, id))[0]
}

const byIds = statement<CommentRow>(`
  select ${columns} from comment c join target t on t.id = c.target_id
   where c.id = any($1::uuid[]) and not c.is_deleted`)

/** Those that are not deleted. Uses comment_pkey. */
export function listByIds(db: Executor, ids: string[]): Promise<CommentRow[]> {
  return byIds(db, ids)
}

const above = statement<CommentRow>(`
  with recursive thread as (
    select id, parent_id from comment where id = $1
    union all
    select p.id, p.parent_id from thread t join comment p on p.id = t.parent_id
  )
  select ${columns} from thread join comment c on c.id = thread.id join target t on t.id = c.target_id
   order by c.depth`)

/** A comment and those above it, at most COMMENT_DEPTH_MAX, from the top-level one on. Uses comment_pkey. */
export function listThread(db: Executor, id: string): Promise<CommentRow[]> {
  return above(db, id)
}

type CommentsPage = { targetId: string; limit: number | null }

const onTarget = <Values extends CommentsPage>(later: string) =>
  statement<CommentRow, Values>(`
    select ${columns} from comment c join target t on t.id = c.target_id
     where c.target_id = :targetId ${later} order by c.created_on, c.seq limit :limit::int`)

const firstOnTarget = onTarget<CommentsPage>('')
const laterOnTarget = onTarget<CommentsPage & Cursor>(
  'and (c.created_on, c.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/**
 * The comments on a target, oldest first. A null limit returns all of them, which COMMENTS_MAX and
 * COMMENTS_BYTES_MAX bound. Uses comment_target_idx.
 */
export function listComments(
  db: Executor,
  targetId: string,
  limit: number | null = null,
  after?: Cursor,
): Promise<CommentRow[]> {
  if (!after) return firstOnTarget(db, { targetId, limit })
  return laterOnTarget(db, { targetId, limit, ...after })
}

const texts = statement<{ text: string }>(`
  select left(string_agg(c.content, E'\\n'), $2::int) as text from (
    select content from comment
     where target_id = $1 and not is_deleted order by created_on desc, seq desc limit 1000
  ) c`)

/** The newest comments on a target as one text; undefined without any. Uses comment_target_idx. */
export async function readText(
  db: Executor,
  targetId: string,
  charsMax: number,
): Promise<string | undefined> {
  return (await texts(db, targetId, charsMax))[0]?.text ?? undefined
}

const commented = statement<{ id: string }>(`
  select id from target where id = any($1::uuid[]) and comments > 0`)

/** Those targets that have comments. Uses target_pkey. */
export async function listCommented(db: Executor, ids: string[]): Promise<string[]> {
  return (await commented(db, ids)).map(({ id }) => id)
}

type OwnPage = { author: string; limit: number }

const own = <Values extends OwnPage>(later: string) =>
  statement<CommentRow, Values>(`
    select ${columns} from comment c join target t on t.id = c.target_id
     where c.author = :author and not c.is_deleted ${later} order by c.created_on, c.seq limit :limit`)
const ownFirst = own<OwnPage>('')
const ownLater = own<OwnPage & Cursor>(
  'and (c.created_on, c.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** The comments of an author, oldest first. Uses comment_author_idx. */
export function listOwnComments(
  db: Executor,
  author: string,
  limit: number,
  after?: Cursor,
): Promise<CommentRow[]> {
  return after ? ownLater(db, { author, limit, ...after }) : ownFirst(db, { author, limit })
}

type InsertedComment = Pick<NewComment, 'id' | 'depth' | 'author' | 'content'> & {
  targetId: string
  parentId: string | null
  requestedBy: string | null
}

const inserted = statement<CommentRow, InsertedComment>(`
  with moment as materialized (
    select clock_timestamp() as at
  ), c as (
    insert into comment (id, target_id, parent_id, depth, author, requested_by, content, created_on, updated_on)
    select :id::uuid, :targetId::uuid, :parentId::uuid, :depth::int, :author, :requestedBy::text, :content, at, at
      from moment
    returning *
  )
  select ${columns} from c join target t on t.id = c.target_id`)

export type NewComment = Pick<
  CommentRow,
  'id' | 'target_id' | 'parent_id' | 'depth' | 'author' | 'requested_by' | 'content'
>

/** The target must be locked. */
export async function insertComment(tx: Tx, comment: NewComment): Promise<CommentRow> {
  const { target_id: targetId, parent_id: parentId, requested_by: requestedBy, ...rest } = comment
  const [row] = await inserted(tx, { ...rest, targetId, parentId, requestedBy })
  if (!row) throw new Error('comment was not inserted')
  return row
}

const updated = statement<CommentRow>(`
  with c as (
    update comment set content = $2, is_edited = true, updated_on = clock_timestamp()
     where id = $1 and not is_deleted returning *
  )
  select ${columns} from c join target t on t.id = c.target_id`)

/** The target must be locked, and the comment live. */
export async function updateContent(tx: Tx, id: string, content: string): Promise<CommentRow> {
  const [row] = await updated(tx, id, content)
  if (!row) throw new Error('comment was not updated')
  return row
}

const filled = statement<CommentRow>(`
  with c as (
    update comment set content = $2, updated_on = clock_timestamp()
     where id = $1 and requested_by is not null and content = '' and not is_deleted returning *
  )
  select ${columns} from c join target t on t.id = c.target_id`)

/** Fills an empty reply by AI; undefined if it was filled or deleted. Its target must be locked. */
export async function fillContent(
  tx: Tx,
  id: string,
  content: string,
): Promise<CommentRow | undefined> {
  return (await filled(tx, id, content))[0]
}
