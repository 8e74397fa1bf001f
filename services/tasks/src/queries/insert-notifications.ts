import { statement } from '@figbase/kit/db'
import { enqueueSql } from '@figbase/kit/jobs'
import type { Tx } from '../db/schema.js'
import type { NotificationKind } from '../domain/notification-settings.js'
import { notify } from '../job-names.js'

export type NewNotification = {
  /** In lower case. */
  username: string
  kind: NotificationKind
  actor: string
  objectId: string
  commentId?: string
}

/** Enqueues the job of each person once. In one order, so that transactions do not wait for each other in a circle. */
const enqueueing = (inserted: string) => `
  select ${enqueueSql(notify, {
    key: 'n.username',
    payload: `json_build_object('username', n.username)`,
    workspaceId: 'null',
  })}
    from (select distinct i.username from ${inserted} i order by i.username) n`

/** Part of the statement that stores live events: the notifications that follow from them. */
export const insertingNotifications = {
  expressions: `
  notified as (
    insert into notification (username, kind, actor, object_id, comment_id)
    select n.username, n.kind, n.actor, n."objectId", n."commentId"
      from collected c
     cross join lateral json_to_recordset(c.item -> 'notifications') as n (
       username text, kind text, actor text, "objectId" uuid, "commentId" uuid)
     where c.item -> 'notifications' is not null
     order by c.place
    returning username
  ), notifying as materialized (${enqueueing('notified')})`,
  hasRows: '(select count(*) from notifying) > 0',
}

const ofTask = statement<never>(`
  with notified as (
    insert into notification (username, kind, actor, object_id)
    select lower(t.owner), 'failed_task', '', t.id from task t where t.id = $1
    returning username
  )
  ${enqueueing('notified')}`)

/** Notifies the owner that a task failed. The caller wakes the queue. */
export async function insertOfFailedTask(tx: Tx, taskId: string): Promise<void> {
  await ofTask(tx, taskId)
}
