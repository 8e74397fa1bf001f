import { type Executor, statement } from '@figbase/kit/db'
import type { NotificationRow } from '../db/schema.js'

const columns = `
  n.id, n.seq, n.username, n.kind, n.actor, n.object_id, n.comment_id, n.created_on, n.delivery, n.mailed_on`

const anew = statement<NotificationRow>(`
  select ${columns} from notification n where n.username = $1 and n.delivery is null order by n.seq limit $2`)

/** Those to which the choice of the person was not applied yet, oldest first. */
export function listNew(db: Executor, username: string, limit: number): Promise<NotificationRow[]> {
  return anew(db, username, limit)
}

const mailed = statement<{ count: number }>(`
  select count(*)::int as count from notification n
   where n.username = $1 and n.delivery = 'AT_ONCE' and n.mailed_on > now() - interval '1 hour'`)

/** How many were mailed at once in the last hour. */
export async function countMailed(db: Executor, username: string): Promise<number> {
  return (await mailed(db, username))[0]?.count ?? 0
}

const sent = statement<{ id: string }>(`
  update notification set delivery = 'AT_ONCE', mailed_on = now()
   where id = any($1::uuid[]) and delivery is null returning id`)

/** Returns the ids of those that were not marked before. */
export async function markMailed(tx: Executor, ids: string[]): Promise<Set<string>> {
  return new Set((await sent(tx, ids)).map(({ id }) => id))
}

const deferred = statement<{ id: string }>(`
  update notification set delivery = 'DIGEST' where id = any($1::uuid[]) and delivery is null returning id`)

export async function deferToDigest(tx: Executor, ids: string[]): Promise<void> {
  await deferred(tx, ids)
}

const removed = statement<never>('delete from notification where id = any($1::uuid[])')

export async function deleteNotifications(tx: Executor, ids: string[]): Promise<void> {
  await removed(tx, ids)
}

const pending = statement<NotificationRow>(`
  select ${columns} from notification n
   where n.username = $1 and n.delivery = 'DIGEST' and n.mailed_on is null order by n.seq desc limit $2`)

/** Those that wait for the next digest, newest first. */
export function listForDigest(
  db: Executor,
  username: string,
  limit: number,
): Promise<NotificationRow[]> {
  return pending(db, username, limit)
}

const ended = statement<{ count: number }>(`
  with ended as (
    update notification n set mailed_on = now()
     where n.username = $1 and n.delivery = 'DIGEST' and n.mailed_on is null and n.seq <= $2::bigint
    returning n.id
  )
  select count(*)::int as count from ended`)

/** Ends those that a digest was made of; returns how many. */
export async function markInDigest(tx: Executor, username: string, upTo: bigint): Promise<number> {
  return (await ended(tx, username, upTo.toString()))[0]?.count ?? 0
}

const old = statement<{ id: string }>(`
  delete from notification where id = any(array(
    select id from notification where created_on < now() - interval '1 millisecond' * $1::float8
     order by created_on limit $2 for update skip locked))
  returning id`)

/** Deletes notifications older than `olderMs`; returns how many. */
export async function deleteOldNotifications(
  db: Executor,
  olderMs: number,
  limit: number,
): Promise<number> {
  return (await old(db, olderMs, limit)).length
}
