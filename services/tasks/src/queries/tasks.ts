import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, TaskRow, Tx } from '../db/schema.js'
import type { Status } from '../domain/status.js'

const columns = `
  t.id, t.seq, t.owner, t.name, t.type, t.status, t.progress_percent, t.status_message,
  t.detail::text as detail, t.result::text as result, t.error, t.logs_dropped, t.created_on,
  t.started_on, t.completed_on, t.revoked_by`

export type NewTask = Pick<TaskRow, 'id' | 'owner' | 'name' | 'type'>

const inserted = statement<TaskRow, NewTask>(`
  insert into task as t (id, owner, name, type) values (:id, :owner, :name, :type)
  on conflict on constraint task_pkey do update set id = excluded.id
  returning ${columns}`)

/** Inserts a task, or returns the existing one with this id. */
export async function insertTask(db: Db, newTask: NewTask): Promise<TaskRow> {
  const [task] = await inserted(db, newTask)
  if (!task) throw new Error('a task was not inserted')
  return task
}

const own = statement<TaskRow>(`select ${columns} from task t where t.id = $1 and t.owner = $2`)

export async function findOwn(db: Db, id: string, owner: string): Promise<TaskRow | undefined> {
  const [task] = await own(db, id, owner)
  return task
}

const ownByIds = statement<TaskRow>(
  `select ${columns} from task t where t.id = any($1::uuid[]) and t.owner = $2`,
)

/** The tasks of an owner among these, by id. Uses task_pkey. */
export async function listOwnByIds(
  db: Db,
  owner: string,
  ids: string[],
): Promise<Map<string, TaskRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await ownByIds(db, ids, owner)).map((task) => [task.id, task]))
}

const locked = statement<Pick<TaskRow, 'status'>>(
  'select status from task where id = $1 for update',
)

export async function lockTask(tx: Tx, id: string): Promise<Pick<TaskRow, 'status'> | undefined> {
  const [task] = await locked(tx, id)
  return task
}

/** Null members are not changed. Progress never decreases. */
export type TaskChanges = {
  status: Status
  progressPercent: number | null
  statusMessage: string | null
  detail: string | null
  result: string | null
  error: string | null
}

const updated = statement<never, TaskChanges & { id: string }>(`
  update task
     set status = :status,
         progress_percent = case when :status = 'SUCCESS' then 100
           else greatest(progress_percent, :progressPercent::int) end,
         status_message = coalesce(:statusMessage, status_message),
         detail = coalesce(:detail::json, detail),
         result = coalesce(:result::json, result), error = coalesce(:error, error),
         started_on = coalesce(started_on,
           case when :status in ('STARTED', 'SUCCESS', 'FAILURE') then now() end),
         completed_on = case when :status in ('SUCCESS', 'FAILURE', 'REVOKED') then now() end
   where id = :id`)

export async function updateTask(tx: Tx, id: string, changes: TaskChanges): Promise<void> {
  await updated(tx, { ...changes, id })
}

const revoked = statement<TaskRow>(`
  update task t set status = 'REVOKED', completed_on = now(), revoked_by = $2
   where t.id = $1 and t.owner = $2 and t.status in ('PENDING', 'STARTED')
  returning ${columns}`)

/** Undefined when it is finished, unknown, or owned by another user. */
export async function revokeOwn(db: Db, id: string, owner: string): Promise<TaskRow | undefined> {
  const [task] = await revoked(db, id, owner)
  return task
}

const revokedOf = statement<Pick<TaskRow, 'id'>>(`
  select id from task where id = any($1::uuid[]) and status = 'REVOKED'`)

export async function listRevokedOf(db: Db, ids: string[]): Promise<string[]> {
  return (await revokedOf(db, ids)).map(({ id }) => id)
}

/** Bounds are inclusive; times are in a format that PostgreSQL reads. */
export type Filters = {
  statuses: Status[]
  createdFrom: string | null
  createdTo: string | null
  completedFrom: string | null
  completedTo: string | null
}

type Page = Filters & {
  owner: string
  limit: number
  /** Null: from the newest. */
  beforeCreatedOn: string | null
  beforeSeq: string | null
}

const page = statement<TaskRow, Page>(`
  select ${columns}
    from unnest(:statuses::text[]) as s (status) cross join lateral (
      select o.* from task o
       where o.owner = :owner and o.status = s.status
         and o.created_on >= coalesce(:createdFrom::timestamptz, '-infinity')
         and o.created_on <= coalesce(:createdTo::timestamptz, :completedTo::timestamptz, 'infinity')
         and (:completedFrom::timestamptz is null or o.completed_on >= :completedFrom)
         and (:completedTo::timestamptz is null or o.completed_on <= :completedTo)
         and (o.created_on, o.seq)
             < (coalesce(:beforeCreatedOn::timestamptz, 'infinity'), coalesce(:beforeSeq::bigint, 0))
       order by o.created_on desc, o.seq desc limit :limit) as t
   order by t.created_on desc, t.seq desc limit :limit`)

/**
 * A user's tasks, newest first; reads a page of each status by task_owner_idx. A task is created before it is completed,
 * so the upper bound of the completion applies to the creation, too.
 */
export function listOwn(
  db: Db,
  owner: string,
  filters: Filters,
  limit: number,
  after?: Cursor,
): Promise<TaskRow[]> {
  const before = { beforeCreatedOn: after?.createdOn ?? null, beforeSeq: after?.seq ?? null }
  return page(db, { ...filters, owner, limit, ...before })
}

const removed = statement<Pick<TaskRow, 'id'>>(`
  delete from task where id = any(array(
    select id from task where completed_on < now() - interval '1 millisecond' * $1::float8
     order by completed_on limit $2 for update skip locked))
  returning id`)

/** Deletes tasks that finished longer ago than `olderMs`, with their logs; returns how many. */
export async function deleteFinished(db: Db, olderMs: number, limit: number): Promise<number> {
  return (await removed(db, olderMs, limit)).length
}
