import type { JsonValue } from '@bufbuild/protobuf'
import { statement } from '@figbase/kit/db'
import { isoTimeSql } from '@figbase/kit/events'
import type { Db, LiveEventTable, Tx } from '../db/schema.js'

export type LiveEvent = Pick<LiveEventTable, 'owner' | 'workspace_id' | 'object_id'> & {
  id: bigint
  at_ms: number
  message: JsonValue
}

/**
 * Serializes writers until they commit: ids then grow in commit order, so that readers miss no event. Must be the last
 * lock of a transaction.
 */
const lockEvents = `select pg_advisory_xact_lock(hashtext('live events'))`

/** Visible to all who may view the workspace, and the object if there is one. */
export type SharedEvent = { workspaceId: string; objectId: string | null; message: JsonValue }

/** SQL of the live-events consumer; `count(*)` makes it lock only after all other locks are taken. */
export const insertingShared: string = `
  insert into live_event (workspace_id, object_id, message)
  with turn as materialized (${lockEvents} from collected having count(*) > 0)
  select (c.item #>> '{live,workspaceId}')::uuid, (c.item #>> '{live,objectId}')::uuid,
         c.item #> '{live,message}'
    from turn, collected c where c.item -> 'live' is not null
   order by c.place`

const ofTask = statement<never>(`
  with turn as materialized (${lockEvents})
  insert into live_event (owner, task_id, message)
  select t.owner, t.id, json_build_object('task', json_build_object('task', json_strip_nulls(
           json_build_object(
             'id', t.id, 'name', t.name, 'type', t.type, 'status', 'TASK_STATUS_' || t.status,
             'progressPercent', t.progress_percent, 'statusMessage', t.status_message,
             'error', t.error, 'createdOn', ${isoTimeSql('t.created_on')},
             'startedOn', ${isoTimeSql('t.started_on')}, 'completedOn', ${isoTimeSql('t.completed_on')}))))
    from turn, task t where t.id = $1
  on conflict on constraint live_event_task_key do update
     set id = default, at = now(), message = excluded.message`)

/** Stores the current state of a task for its owner. */
export async function insertOfTask(tx: Tx, id: string): Promise<void> {
  await ofTask(tx, id)
}

const columns = `e.id, (extract(epoch from e.at) * 1000)::float8 as at_ms, e.owner, e.workspace_id, e.object_id,
  e.message`

const newest = statement<{ id: bigint }>('select coalesce(max(id), 0) as id from live_event')

export async function newestId(db: Db): Promise<bigint> {
  return (await newest(db))[0]?.id ?? 0n
}

const before = statement<{ id: bigint }>(`
  select id from live_event where at < now() - interval '1 millisecond' * $1::float8 order by at desc limit 1`)

/** The newest event older than `pastMs`; 0 if there is none. */
export async function newestIdBefore(db: Db, pastMs: number): Promise<bigint> {
  return (await before(db, pastMs))[0]?.id ?? 0n
}

const later = statement<LiveEvent>(`
  select ${columns} from live_event e where e.id > $1::bigint order by e.id limit $2`)

/** For all users, oldest first. */
export function listLater(db: Db, after: bigint, limit: number): Promise<LiveEvent[]> {
  return later(db, after.toString(), limit)
}

export type ReaderScope = { username: string; workspaceIds: string[] }

// Reads a page of each workspace and merges them, so that the cost of a page does not depend on the age of the cursor.
// The row comparisons keep the planner from scanning the events of all users between :after and :until.
const laterFor = statement<
  LiveEvent,
  ReaderScope & { after: string; until: string; limit: number }
>(`
  select ${columns} from (
    select own.* from (
      select o.* from live_event o
       where o.owner is not null
         and (o.owner, o.id) > (:username, :after::bigint) and (o.owner, o.id) <= (:username, :until::bigint)
       order by o.owner, o.id limit :limit
    ) own
    union all
    select found.* from unnest(:workspaceIds::uuid[]) w (id) cross join lateral (
      select s.* from live_event s
       where s.workspace_id is not null and (s.workspace_id, s.id) > (w.id, :after::bigint)
         and (s.workspace_id, s.id) <= (w.id, :until::bigint)
       order by s.workspace_id, s.id limit :limit
    ) found
  ) e order by e.id limit :limit`)

/** The events of one user and of these workspaces, oldest first, up to and including `until`. */
export function listLaterFor(
  db: Db,
  scope: ReaderScope,
  after: bigint,
  until: bigint,
  limit: number,
): Promise<LiveEvent[]> {
  return laterFor(db, { ...scope, after: after.toString(), until: until.toString(), limit })
}

const removed = statement<{ id: bigint }>(`
  delete from live_event where id = any(array(
    select id from live_event where at < now() - interval '1 millisecond' * $1::float8
     order by at limit $2 for update skip locked))
  returning id`)

/** Deletes events older than `olderMs`; returns how many. */
export async function deleteOldEvents(db: Db, olderMs: number, limit: number): Promise<number> {
  return (await removed(db, olderMs, limit)).length
}
