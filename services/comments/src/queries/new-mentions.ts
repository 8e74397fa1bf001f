import { enqueueing, statement } from '@figbase/kit'
import type { Tx } from '../db/schema.js'
import { mailMention } from '../jobs/mail-mention.js'

const inserted = statement<{ before: number }>(`
  with anew as (
    insert into mention (comment_id, username) select $1, unnest($2::text[])
    on conflict on constraint mention_pkey do nothing returning comment_id, username
  )
  select (select count(*)::int from mention where comment_id = $1) as before,
         ${enqueueing(mailMention, {
           key: 'null',
           payload: `json_build_object('commentId', a.comment_id, 'username', a.username)`,
           workspaceId: 'null',
         })}
    from anew a`)

/**
 * Whom the comment has not mentioned before, each with the job that tells him; answers how many they are, and how
 * many it has mentioned in all. The caller tells the queue (`enqueued`). By mention_pkey.
 */
export async function insertMentions(
  tx: Tx,
  commentId: string,
  usernames: string[],
): Promise<{ anew: number; total: number }> {
  const rows = await inserted(tx, commentId, usernames)
  return { anew: rows.length, total: (rows[0]?.before ?? 0) + rows.length }
}
