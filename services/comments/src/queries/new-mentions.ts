import { statement } from '@figbase/kit/db'
import type { Tx } from '../db/schema.js'

const inserted = statement<{ username: string; before: number }>(`
  with anew as (
    insert into mention (comment_id, username) select $1, unnest($2::text[])
    on conflict on constraint mention_pkey do nothing returning username
  )
  select a.username, (select count(*)::int from mention where comment_id = $1) as before from anew a`)

/**
 * Inserts the mentions that the comment did not have before. Returns their usernames, and the number of all mentions of
 * the comment. Uses mention_pkey.
 */
export async function insertMentions(
  tx: Tx,
  commentId: string,
  usernames: string[],
): Promise<{ added: string[]; total: number }> {
  const rows = await inserted(tx, commentId, usernames)
  return {
    added: rows.map(({ username }) => username),
    total: (rows[0]?.before ?? 0) + rows.length,
  }
}
