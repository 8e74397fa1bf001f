import { type Cursor, statement } from '@figbase/kit'
import type { Db, TaskRow, Tx } from '../db/schema.js'
import type { Status } from '../domain/status.js'

const columns = `
  t.id, t.seq, t.owner, t.name, t.type, t.status, t.progress_percent, t.status_message,
  t.detail::text as detail, t.result::text as result, t.error, t.logs_dropped, t.created_on,
  t.started_on, t.completed_on, t.revoked_by`

const inserted = statement<TaskRow>(`
  insert into task as t (id, owner, name, type) values ($1, $2, $3, $4)
  on conflict on constraint task_pkey do update set id = excluded.id
  returning ${columns}`)

export type NewTask = Pick<TaskRow, 'id' | 'owner' | 'name' | 'type'>

/** The task with this id: the new one, or the one that is there. */
export async function insertTask(db: Db, { id, owner, name, type }: NewTask): Promise<TaskRow> {
  const [task] = await inserted(db, id, owner, name, type)
  if (!task) throw new Error('a task was not inserted')
  return task
}

const own = statement<TaskRow>(`select ${columns} from task t where t.id = $1 and t.owner = $2`)

export async function findOwn(db: Db, id: string, owner: string): Promise<TaskRow | undefined> {
  const [task] = await own(db, id, owner)
  return task
}

const locked = statement<Pick<TaskRow, 'status'>>(
  'select status from task where id = $1 for update',
)

export async function lockTask(tx: Tx, id: string): Promise<Pick<TaskRow, 'status'> | undefined> {
  const [task] = await locked(tx, id)
  return task
}

const updated = statement(`
  update task
     set status = $2,
         progress_percent = case when $2 = 'SUCCESS' then 100
           else greatest(progress_percent, $3::int) end,
         status_message = coalesce($4, status_message), detail = coalesce($5::json, detail),
         result = coalesce($6::json, result), error = coalesce($7, error),
         started_on = coalesce(started_on,
           case when $2 in ('STARTED', 'SUCCESS', 'FAILURE') then now() end),
         completed_on = case when $2 in ('SUCCESS', 'FAILURE', 'REVOKED') then now() end
   where id = $1`)

/** Null: it stays as it is. Progress never goes back. */
export type TaskChanges = {
  status: Status
  progressPercent: number | null
  statusMessage: string | null
  detail: string | null
  result: string | null
  error: string | null
}

export async function updateTask(tx: Tx, id: string, changes: TaskChanges): Promise<void> {
  const { status, progressPercent, statusMessage, detail, result, error } = changes
  await updated(tx, id, status, progressPercent, statusMessage, detail, result, error)
}

const revoked = statement<TaskRow>(`
  update task t set status = 'REVOKED', completed_on = now(), revoked_by = $2
   where t.id = $1 and t.owner = $2 and t.status in ('PENDING', 'STARTED')
  returning ${columns}`)

/** Undefined when it is finished, unknown, or somebody else's. */
export async function revokeOwn(db: Db, id: string, owner: string): Promise<TaskRow | undefined> {
  const [task] = await revoked(db, id, owner)
  return task
}

const revokedOf = statement<Pick<TaskRow, 'id'>>(`
  select id from task where id = any($1::uuid[]) and status = 'REVOKED'`)

export async function listRevokedOf(db: Db, ids: string[]): Promise<string[]> {
  return (await revokedOf(db, ids)).map(({ id }) => id)
}

const page = statement<TaskRow>(`
  select ${columns}
    from unnest($2::text[]) as s (status) cross join lateral (
      select o.* from task o
       where o.owner = $1 and o.status = s.status
         and o.created_on >= coalesce($4::timestamptz, '-infinity')
         and o.created_on <= coalesce($5::timestamptz, $7::timestamptz, 'infinity')
         and ($6::timestamptz is null or o.completed_on >= $6)
         and ($7::timestamptz is null or o.completed_on <= $7)
         and (o.created_on, o.seq) < (coalesce($8::timestamptz, 'infinity'), coalesce($9::bigint, 0))
       order by o.created_on desc, o.seq desc limit $3) as t
   order by t.created_on desc, t.seq desc limit $3`)

/** Bounds include their ends; times as PostgreSQL reads them. */
export type Filters = {
  statuses: Status[]
  createdFrom: string | null
  createdTo: string | null
  completedFrom: string | null
  completedTo: string | null
}

/**
 * One user's tasks, newest first: a page of each status is read by task_owner_idx. Nothing is
 * completed before it is created, so that bound holds for both times.
 */
export function listOwn(
  db: Db,
  owner: string,
  { statuses, createdFrom, createdTo, completedFrom, completedTo }: Filters,
  limit: number,
  after?: Cursor,
): Promise<TaskRow[]> {
  const cursor = [after?.createdOn ?? null, after?.seq ?? null]
  const bounds = [createdFrom, createdTo, completedFrom, completedTo]
  return page(db, owner, statuses, limit, ...bounds, ...cursor)
}

const removed = statement<Pick<TaskRow, 'id'>>(`
  delete from task where id = any(array(
    select id from task where completed_on < now() - interval '1 millisecond' * $1::float8
     order by completed_on limit $2 for update skip locked))
  returning id`)

/** Finished tasks that are older than that, with their logs; answers how many there were. */
export async function deleteFinished(db: Db, olderMs: number, limit: number): Promise<number> {
  return (await removed(db, olderMs, limit)).length
}
