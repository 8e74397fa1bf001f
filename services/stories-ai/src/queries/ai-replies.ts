import { statement } from '@figbase/kit/db'
import { hasJobSql } from '@figbase/kit/jobs'
import type { AiReplyTable, Db, Tx } from '../db/schema.js'
import { replyToComment } from '../job-names.js'

type NewReply = { id: string; taskId: string; username: string; workspaceId: string }

const inserted = statement<never, NewReply>(`
  insert into ai_reply (id, task_id, username, workspace_id) values (:id, :taskId, :username, :workspaceId)`)

export async function insertReply(tx: Tx, reply: NewReply): Promise<void> {
  await inserted(tx, reply)
}

const removed = statement<never>('delete from ai_reply where id = $1')

/** Uses ai_reply_pkey. */
export async function deleteReply(db: Db, id: string): Promise<void> {
  await removed(db, id)
}

export type EmptyReply = AiReplyTable & { has_job: boolean }

const page = statement<EmptyReply>(`
  select r.id, r.task_id, r.username, r.workspace_id, ${hasJobSql([replyToComment.name], 'r.task_id::text')} as has_job
    from ai_reply r where r.id > $1 order by r.id limit $2`)

/** After a reply. Uses ai_reply_pkey and job_key_key. */
export function listReplies(db: Db, after: string, limit: number): Promise<EmptyReply[]> {
  return page(db, after, limit)
}
