import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { PlanIdle } from '../domain/idle.js'
import { type InstanceRow, instanceColumns } from './instances.js'

/** A running instance; `is_over`: the grace period of an exhausted allowance has passed. */
export type RunningRow = InstanceRow & { is_over: boolean }

const running = statement<RunningRow>(`
  select ${instanceColumns}, coalesce(i.ends_on <= clock_timestamp(), false) as is_over from instance i
   where i.desired = 'running' and i.id > $1 order by i.id limit $2`)

/** Those that run or shall run, after an id. Uses instance_active_idx. */
export const listRunning = (db: Db, after: string, limit: number): Promise<RunningRow[]> =>
  running(db, after, limit)

type PlanLimits = { ids: string[]; required: boolean[]; secondsMax: (number | null)[] }

const planned = statement<never, PlanLimits>(`
  update instance i
     set plan_requires_idle_shutdown = p.required, plan_idle_seconds_max = p.seconds_max
    from unnest(:ids::uuid[], :required::boolean[], :secondsMax::int[]) as p (id, required, seconds_max)
   where i.id = p.id`)

/** Does not change the version of a row. Uses instance_pkey. */
export async function setPlanIdle(
  db: Db,
  instances: (PlanIdle & Pick<InstanceRow, 'id'>)[],
): Promise<void> {
  await planned(db, {
    ids: instances.map(({ id }) => id),
    required: instances.map((one) => one.plan_requires_idle_shutdown),
    secondsMax: instances.map((one) => one.plan_idle_seconds_max),
  })
}
