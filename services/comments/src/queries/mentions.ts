import { statement } from '@figbase/kit'
import type { Tx } from '../db/schema.js'

const inserted = statement<{ username: string }>(`
  insert into mention (comment_id, username) select $1, unnest($2::text[])
  on conflict on constraint mention_pkey do nothing returning username`)

/** Answers those whom the comment has not mentioned before. */
export async function insertMentions(
  tx: Tx,
  commentId: string,
  usernames: string[],
): Promise<string[]> {
  return (await inserted(tx, commentId, usernames)).map(({ username }) => username)
}

const counted = statement<{ mentions: number }>(
  'select count(*)::int as mentions from mention where comment_id = $1',
)

/** Ever. By mention_pkey. */
export async function countMentions(tx: Tx, commentId: string): Promise<number> {
  return (await counted(tx, commentId))[0]?.mentions ?? 0
}

const marked = statement<{ username: string }>(`
  update mention set mailed_on = clock_timestamp()
   where comment_id = $1 and username = $2 and mailed_on is null returning username`)

/** False when he was mailed before, or the comment is deleted. By mention_pkey. */
export async function markMailed(tx: Tx, commentId: string, username: string): Promise<boolean> {
  return (await marked(tx, commentId, username)).length > 0
}
