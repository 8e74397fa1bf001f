import { statement } from '@figbase/kit/db'
import { newOrderedId } from '@figbase/kit/ids'
import type { Db } from '../db/schema.js'
import { lifecycleOf } from '../domain/lifecycle.js'
import { type EventValues, eventAdded } from './instance-events.js'
import { type InstanceRow, instanceColumns } from './instances.js'

type Changed = Pick<
  InstanceRow,
  | 'holder_id'
  | 'name'
  | 'tier'
  | 'desired'
  | 'observed'
  | 'run_id'
  | 'detail'
  | 'attempts'
  | 'address'
  | 'running_since'
  | 'ends_on'
  | 'idle_shutdown_enabled'
  | 'idle_shutdown_seconds'
  | 'plan_requires_idle_shutdown'
  | 'plan_idle_seconds_max'
  | 'idle_warned_on'
  | 'idle_stops_on'
  | 'removes_on'
  | 'is_purged'
>

/** The event that a change leaves. */
export type EventOfChange = Pick<EventValues, 'kind' | 'text' | 'actor'>

type Values = Changed &
  Pick<InstanceRow, 'id' | 'version'> &
  EventValues & { retryInMs: number | null }

const changed = statement<InstanceRow, Values>(`
  with i as (
    update instance
       set holder_id = :holder_id, name = :name, tier = :tier, desired = :desired, observed = :observed,
           run_id = :run_id, detail = :detail, attempts = :attempts, address = :address,
           running_since = :running_since, ends_on = :ends_on, idle_shutdown_enabled = :idle_shutdown_enabled,
           idle_shutdown_seconds = :idle_shutdown_seconds,
           plan_requires_idle_shutdown = :plan_requires_idle_shutdown, plan_idle_seconds_max = :plan_idle_seconds_max,
           idle_warned_on = :idle_warned_on, idle_stops_on = :idle_stops_on, removes_on = :removes_on,
           is_purged = :is_purged,
           measured_since = case when run_id = :run_id then measured_since end,
           retry_on = clock_timestamp() + :retryInMs::float8 * interval '1 ms',
           version = version + 1, updated_on = clock_timestamp()
     where id = :id and version = :version
    returning *
  ), ${eventAdded}
  select ${instanceColumns} from i`)

/**
 * Changes an instance, adds its event and publishes it, unless it was changed since `before` was read: undefined then.
 * `retryInMs`: when the next attempt may begin. Uses instance_pkey.
 */
export async function changeInstance(
  db: Db,
  before: InstanceRow,
  changes: Partial<Changed> & { retryInMs?: number },
  { kind, text, actor }: EventOfChange,
): Promise<InstanceRow | undefined> {
  const { retryInMs = null, ...rest } = changes
  const after = { ...changedOf(before), ...rest }
  const event = { eventId: newOrderedId(), kind, lifecycle: lifecycleOf(after), text, actor }
  const { id, version } = before
  return (await changed(db, { ...after, ...event, id, version, retryInMs }))[0]
}

const changedOf = (row: InstanceRow): Changed => ({
  holder_id: row.holder_id,
  name: row.name,
  tier: row.tier,
  desired: row.desired,
  observed: row.observed,
  run_id: row.run_id,
  detail: row.detail,
  attempts: row.attempts,
  address: row.address,
  running_since: row.running_since,
  ends_on: row.ends_on,
  idle_shutdown_enabled: row.idle_shutdown_enabled,
  idle_shutdown_seconds: row.idle_shutdown_seconds,
  plan_requires_idle_shutdown: row.plan_requires_idle_shutdown,
  plan_idle_seconds_max: row.plan_idle_seconds_max,
  idle_warned_on: row.idle_warned_on,
  idle_stops_on: row.idle_stops_on,
  removes_on: row.removes_on,
  is_purged: row.is_purged,
})
