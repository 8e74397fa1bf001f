import type { JsonValue } from '@bufbuild/protobuf'
import { isoTime, statement } from '@figbase/kit'
import type { Db, LiveEventTable, Tx } from '../db/schema.js'

export type LiveEvent = Pick<LiveEventTable, 'owner' | 'workspace_id' | 'object_id'> & {
  id: bigint
  at_ms: number
  message: JsonValue
}

/**
 * One after the other until they are committed: ids then grow in the order in which they are seen,
 * and who has read up to one misses none. Nothing else is locked after this.
 */
const turn = `turn as materialized (select pg_advisory_xact_lock(hashtext('live events')))`

/** For those who may view the workspace, and the object if there is one. */
export type SharedEvent = { workspaceId: string; objectId: string | null; message: JsonValue }

const shared = statement<never>(`
  with ${turn}
  insert into live_event (workspace_id, object_id, message)
  select e.workspace_id, e.object_id, e.message
    from turn, unnest($1::uuid[], $2::uuid[], $3::json[]) with ordinality
               e (workspace_id, object_id, message, place)
   order by e.place`)

export async function insertShared(tx: Tx, events: SharedEvent[]): Promise<void> {
  await shared(
    tx,
    events.map(({ workspaceId }) => workspaceId),
    events.map(({ objectId }) => objectId),
    events.map(({ message }) => JSON.stringify(message)),
  )
}

const ofTask = statement<never>(`
  with ${turn}
  insert into live_event (owner, task_id, message)
  select t.owner, t.id, json_build_object('task', json_build_object('task', json_strip_nulls(
           json_build_object(
             'id', t.id, 'name', t.name, 'type', t.type, 'status', 'TASK_STATUS_' || t.status,
             'progressPercent', t.progress_percent, 'statusMessage', t.status_message,
             'error', t.error, 'createdOn', ${isoTime('t.created_on')},
             'startedOn', ${isoTime('t.started_on')}, 'completedOn', ${isoTime('t.completed_on')}))))
    from turn, task t where t.id = $1
  on conflict on constraint live_event_task_key do update
     set id = default, at = now(), message = excluded.message`)

/** Tells the owner of a task how it is now. */
export async function insertOfTask(tx: Tx, id: string): Promise<void> {
  await ofTask(tx, id)
}

const columns = `e.id, (extract(epoch from e.at) * 1000)::float8 as at_ms, e.owner, e.workspace_id, e.object_id,
  e.message`

const newest = statement<{ id: bigint }>('select coalesce(max(id), 0) as id from live_event')

export async function newestId(db: Db): Promise<bigint> {
  return (await newest(db))[0]?.id ?? 0n
}

const later = statement<LiveEvent>(`
  select ${columns} from live_event e where e.id > $1::bigint order by e.id limit $2`)

/** Everybody's, oldest first. */
export function listLater(db: Db, after: bigint, limit: number): Promise<LiveEvent[]> {
  return later(db, after.toString(), limit)
}

export type Reach = { username: string; workspaceIds: string[] }

// The first of each workspace, then the first of those, so that a page costs the same however long
// it is since. Rows are compared so that no plan walks over everybody's from :after to :until.
const laterFor = statement<LiveEvent, Reach & { after: string; until: string; limit: number }>(`
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

/** Those of one user and of these workspaces, oldest first, up to and including `until`. */
export function listLaterFor(
  db: Db,
  reach: Reach,
  after: bigint,
  until: bigint,
  limit: number,
): Promise<LiveEvent[]> {
  return laterFor(db, { ...reach, after: after.toString(), until: until.toString(), limit })
}

const removed = statement<{ id: bigint }>(`
  delete from live_event where id = any(array(
    select id from live_event where at < now() - interval '1 millisecond' * $1::float8
     order by at limit $2 for update skip locked))
  returning id`)

/** Those that are older; answers how many there were. */
export async function deleteOldEvents(db: Db, olderMs: number, limit: number): Promise<number> {
  return (await removed(db, olderMs, limit)).length
}
