import { statement } from '@figbase/kit/db'
import { enqueueSql } from '@figbase/kit/jobs'
import type { Tx } from '../db/schema.js'
import { mailMention } from '../job-names.js'

const inserted = statement<{ before: number }>(`
  with anew as (
    insert into mention (comment_id, username) select $1, unnest($2::text[])
    on conflict on constraint mention_pkey do nothing returning comment_id, username
  )
  select (select count(*)::int from mention where comment_id = $1) as before,
         ${enqueueSql(mailMention, {
           key: 'null',
           payload: `json_build_object('commentId', a.comment_id, 'username', a.username)`,
           workspaceId: 'null',
         })}
    from anew a`)

/**
 * Inserts the mentions that the comment did not have before, and enqueues a mail for each. Returns the numbers of
 * added and of all mentions of the comment. The caller wakes the queue (`wakeJobs`). Uses mention_pkey.
 */
export async function insertMentions(
  tx: Tx,
  commentId: string,
  usernames: string[],
): Promise<{ added: number; total: number }> {
  const rows = await inserted(tx, commentId, usernames)
  return { added: rows.length, total: (rows[0]?.before ?? 0) + rows.length }
}
