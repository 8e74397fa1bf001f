import { type Cursor, statement } from '@figbase/kit/db'
import { newOrderedId } from '@figbase/kit/ids'
import type { Selectable } from 'kysely'
import type { Db, InstanceTable, Tx } from '../db/schema.js'
import { lifecycleOf } from '../domain/lifecycle.js'
import { type EventValues, eventAdded } from './instance-events.js'

/** An instance with what is computed when it is read. */
export type InstanceRow = Selectable<
  Omit<
    InstanceTable,
    | 'secrets_sealed'
    | 'api_key_id'
    | 'old_api_key_id'
    | 'heartbeat'
    | 'heartbeat_on'
    | 'retry_on'
    | 'measured_since'
  >
> & {
  /** Of the last heartbeat; null without one. */
  jupyter_up: boolean | null
  heartbeat_age_ms: number | null
  running_for_ms: number | null
  /** Since the last activity of the current run, as far as it was measured; null if it is not running. */
  idle_ms: number | null
}

/** SQL for the milliseconds since a time. */
export const ageSql = (time: string): string =>
  `(extract(epoch from clock_timestamp() - ${time}) * 1000)::float8`

const names = [
  'id',
  'seq',
  'workspace_id',
  'holder_id',
  'owner',
  'name',
  'tier',
  'data_volume_gb',
  'desired',
  'observed',
  'run_id',
  'detail',
  'attempts',
  'address',
  'running_since',
  'last_activity_on',
  'ends_on',
  'idle_shutdown_enabled',
  'idle_shutdown_seconds',
  'plan_requires_idle_shutdown',
  'plan_idle_seconds_max',
  'idle_warned_on',
  'idle_stops_on',
  'removes_on',
  'is_purged',
  'version',
  'created_on',
  'updated_on',
] as const satisfies (keyof InstanceRow)[]

/** SQL for the columns of an instance `i`. */
export const instanceColumns: string = `
  ${names.map((name) => `i.${name}`).join(', ')}, (i.heartbeat->>'jupyterUp')::boolean as jupyter_up,
  ${ageSql('i.heartbeat_on')} as heartbeat_age_ms, ${ageSql('i.running_since')} as running_for_ms,
  case when i.running_since is not null
       then ${ageSql('greatest(i.last_activity_on, coalesce(i.measured_since, i.running_since))')} end as idle_ms`

export type NewInstance = Pick<
  InstanceRow,
  | 'id'
  | 'workspace_id'
  | 'holder_id'
  | 'owner'
  | 'name'
  | 'tier'
  | 'data_volume_gb'
  | 'desired'
  | 'observed'
  | 'run_id'
  | 'idle_shutdown_enabled'
  | 'idle_shutdown_seconds'
  | 'plan_requires_idle_shutdown'
  | 'plan_idle_seconds_max'
>

const inserted = statement<InstanceRow, NewInstance & EventValues>(`
  with i as (
    insert into instance
      (id, workspace_id, holder_id, owner, name, tier, data_volume_gb, desired, observed, run_id,
       idle_shutdown_enabled, idle_shutdown_seconds, plan_requires_idle_shutdown, plan_idle_seconds_max)
    values (:id, :workspace_id, :holder_id, :owner, :name, :tier, :data_volume_gb, :desired, :observed,
            :run_id, :idle_shutdown_enabled, :idle_shutdown_seconds, :plan_requires_idle_shutdown,
            :plan_idle_seconds_max)
    returning *
  ), ${eventAdded}
  select ${instanceColumns} from i`)

/** Also adds and publishes the event of its launch. */
export async function insertInstance(
  tx: Tx,
  instance: NewInstance,
  actor: string,
): Promise<InstanceRow> {
  const lifecycle = lifecycleOf(instance)
  const event = { eventId: newOrderedId(), kind: 'launch', lifecycle, text: '', actor }
  const [row] = await inserted(tx, { ...instance, ...event })
  if (!row) throw new Error('instance was not inserted')
  return row
}

const byId = statement<InstanceRow>(`select ${instanceColumns} from instance i where i.id = $1`)

/** Uses instance_pkey. */
export async function findInstance(db: Db, id: string): Promise<InstanceRow | undefined> {
  return (await byId(db, id))[0]
}

const locked = statement<{ id: string }>('select id from instance where id = $1 for no key update')

/** Uses instance_pkey. */
export async function lockInstance(tx: Tx, id: string): Promise<void> {
  await locked(tx, id)
}

type PageValues = {
  id: string
  createdOn: string | undefined
  seq: string | undefined
  limit: number
}

/** A page of the instances `i` that meet a condition, newest first. */
const listedWhere = (condition: string) =>
  statement<InstanceRow, PageValues>(`
  select ${instanceColumns} from instance i
   where ${condition}
     and (:createdOn::timestamptz is null or (i.created_on, i.seq) < (:createdOn::timestamptz, :seq::bigint))
   order by i.created_on desc, i.seq desc limit :limit`)

const ofWorkspace = listedWhere(`i.workspace_id = :id and i.desired <> 'terminated'`)
const ofOwner = listedWhere('i.owner = :id')

type List = (db: Db, id: string, limit: number, after: Cursor | undefined) => Promise<InstanceRow[]>

/** Of a workspace, without terminated ones, newest first. Uses instance_workspace_idx. */
export const listInstances: List = (db, id, limit, after) =>
  ofWorkspace(db, { id, limit, createdOn: after?.createdOn, seq: after?.seq })

/** Of an owner in all workspaces, with terminated ones, newest first. Uses instance_of_owner_idx. */
export const listInstancesOf: List = (db, id, limit, after) =>
  ofOwner(db, { id, limit, createdOn: after?.createdOn, seq: after?.seq })

const holderLock = statement<never>('select pg_advisory_xact_lock(hashtext($1), hashtext($2))')

/** Serializes the transactions that check the limits of a holder. */
export async function lockHolder(tx: Tx, holderId: string): Promise<void> {
  await holderLock(tx, 'compute of', holderId)
}

const running = statement<{ count: number }>(`
  select count(*)::int as count from instance where holder_id = $1 and desired = 'running'`)

/** Instances that run or shall run at the cost of a holder. Uses instance_holder_idx. */
export async function countRunning(db: Db, holderId: string): Promise<number> {
  return (await running(db, holderId))[0]?.count ?? 0
}

export type InstanceCount = { count: number; terminated: number }

const inWorkspace = statement<InstanceCount>(`
  select count(*)::int as count, count(*) filter (where desired = 'terminated')::int as terminated
    from instance where workspace_id = $1 and observed <> 'gone'`)

/** Those of which anything is left, with the terminated ones whose files are kept. Uses instance_kept_idx. */
export async function countInstances(db: Db, workspaceId: string): Promise<InstanceCount> {
  return (await inWorkspace(db, workspaceId))[0] ?? { count: 0, terminated: 0 }
}
