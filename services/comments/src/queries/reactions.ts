import { type Cursor, type Executor, statement } from '@figbase/kit/db'
import type { ReactionCountRow, ReactionRow, Tx } from '../db/schema.js'

const columns = 'r.id, r.seq, r.comment_id, r.username, r.emoji, r.created_on'

const locked = statement<{ id: string }>(
  'select id from comment where id = $1 and not is_deleted for no key update',
)

/** Locks a comment against other reactions; false when it was deleted. */
export async function lockComment(tx: Tx, id: string): Promise<boolean> {
  return (await locked(tx, id)).length > 0
}

const counted = statement<{ reactions: number }>(
  'select count(*)::int as reactions from reaction where comment_id = $1',
)

/** Uses reaction_key. */
export async function countReactions(tx: Tx, commentId: string): Promise<number> {
  return (await counted(tx, commentId))[0]?.reactions ?? 0
}

const same = statement<ReactionRow>(`
  select ${columns} from reaction r where r.comment_id = $1 and r.username = $2 and r.emoji = $3`)

export type NewReaction = Pick<ReactionRow, 'id' | 'comment_id' | 'username' | 'emoji'>

/** Uses reaction_key. */
export async function findSameReaction(
  tx: Tx,
  { comment_id, username, emoji }: NewReaction,
): Promise<ReactionRow | undefined> {
  return (await same(tx, comment_id, username, emoji))[0]
}

type InsertedReaction = Omit<NewReaction, 'comment_id'> & { commentId: string }

const inserted = statement<ReactionRow, InsertedReaction>(`
  insert into reaction as r (id, comment_id, username, emoji)
  values (:id, :commentId, :username, :emoji)
  returning ${columns}`)

export async function insertReaction(
  tx: Tx,
  { id, comment_id: commentId, username, emoji }: NewReaction,
): Promise<ReactionRow> {
  const [row] = await inserted(tx, { id, commentId, username, emoji })
  if (!row) throw new Error('reaction was not inserted')
  return row
}

const single = statement<ReactionRow>(`select ${columns} from reaction r where r.id = $1`)

export async function findReaction(db: Executor, id: string): Promise<ReactionRow | undefined> {
  return (await single(db, id))[0]
}

const removed = statement<{ id: string }>('delete from reaction where id = $1 returning id')

/** False when the reaction was deleted meanwhile. */
export async function deleteReaction(db: Executor, id: string): Promise<boolean> {
  return (await removed(db, id)).length > 0
}

const ofComment = statement<ReactionRow>(`
  select ${columns} from reaction r where r.comment_id = $1 order by r.created_on, r.seq`)

/** The reactions to a comment, oldest first; REACTIONS_PER_COMMENT_MAX bounds them. Uses reaction_comment_idx. */
export function listReactions(db: Executor, commentId: string): Promise<ReactionRow[]> {
  return ofComment(db, commentId)
}

const counts = statement<ReactionCountRow, { commentIds: string[]; username: string }>(`
  select comment_id, emoji, count, own_id, usernames from (
    select r.comment_id, r.emoji, count(*)::int as count,
           (array_agg(r.id) filter (where r.username = :username))[1] as own_id,
           (array_agg(r.username order by r.created_on, r.seq))[1:10] as usernames,
           row_number() over (partition by r.comment_id order by count(*) desc, min(r.created_on), r.emoji) as place
      from reaction r where r.comment_id = any(:commentIds::uuid[]) group by r.comment_id, r.emoji
  ) c where place <= 20 order by comment_id, place`)

/** The reactions to comments by emoji, the most frequent first. Uses reaction_comment_idx. */
export function listReactionCounts(
  db: Executor,
  commentIds: string[],
  username: string,
): Promise<ReactionCountRow[]> {
  return counts(db, { commentIds, username })
}

type OwnPage = { username: string; limit: number }

const own = <Values extends OwnPage>(later: string) =>
  statement<ReactionRow, Values>(`
    select ${columns} from reaction r
     where r.username = :username ${later} order by r.created_on, r.seq limit :limit`)
const ownFirst = own<OwnPage>('')
const ownLater = own<OwnPage & Cursor>(
  'and (r.created_on, r.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** The reactions of a user, oldest first. Uses reaction_username_idx. */
export function listOwnReactions(
  db: Executor,
  username: string,
  limit: number,
  after?: Cursor,
): Promise<ReactionRow[]> {
  return after ? ownLater(db, { username, limit, ...after }) : ownFirst(db, { username, limit })
}
