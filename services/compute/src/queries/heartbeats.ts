import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Measurement } from '../drivers/port.js'
import { ageSql, type InstanceRow, instanceColumns } from './instances.js'

type HeartbeatRow = { heartbeat: Measurement; heartbeat_on: string }

const byInstance = statement<HeartbeatRow>(`
  select heartbeat, heartbeat_on from instance where id = $1 and heartbeat is not null`)

/** The last one. Uses instance_pkey. */
export async function findHeartbeat(db: Db, id: string): Promise<HeartbeatRow | undefined> {
  return (await byInstance(db, id))[0]
}

/** A measured run. `isWorking`: it is in use, whatever its last activity. */
export type MeasuredRun = { id: string; runId: string; heartbeat: Measurement; isWorking: boolean }

/** An instance after its heartbeat. */
export type MeasuredRow = InstanceRow & {
  measured_at_ms: number
  /** How old this is that the notebook server told. */
  kernels_age_ms: number
  warned_ms: number | null
  stops_in_ms: number | null
}

type Measured = {
  ids: string[]
  runIds: string[]
  heartbeats: string[]
  activities: (string | null)[]
  areWorking: boolean[]
  staleMs: number
}

// The clock of the machine may be wrong: that a time of activity is new says that it was after the last heartbeat.
const measured = statement<MeasuredRow, Measured>(`
  update instance i
     set heartbeat = m.heartbeat, heartbeat_on = m.now,
         measured_since = case
           when i.heartbeat_on >= m.now - :staleMs::float8 * interval '1 ms' then coalesce(i.measured_since, m.now)
           else m.now end,
         last_activity_on = greatest(i.last_activity_on, case
           when m.is_working then m.now
           when m.heartbeat->>'lastActivityAt' is distinct from i.heartbeat->>'lastActivityAt'
             then greatest(least(m.last_activity_on, m.now), i.heartbeat_on) end)
    from (
      select given.*, clock_timestamp() as now
        from unnest(:ids::uuid[], :runIds::uuid[], :heartbeats::json[], :activities::timestamptz[], :areWorking::boolean[])
               as given (id, run_id, heartbeat, last_activity_on, is_working)
    ) m
   where i.id = m.id and i.run_id = m.run_id and i.observed = 'running'
  returning ${instanceColumns}, (extract(epoch from i.heartbeat_on) * 1000)::float8 as measured_at_ms,
            coalesce((i.heartbeat->>'kernelsAgeMs')::float8, 0) as kernels_age_ms,
            ${ageSql('i.idle_warned_on')} as warned_ms, - ${ageSql('i.idle_stops_on')} as stops_in_ms`)

/**
 * Does not change the version of a row. A run that was not measured for `staleMs` is measured anew from now on. Returns
 * the instances, without those whose run is another one by now. Uses instance_pkey.
 */
export const saveHeartbeats = (
  db: Db,
  runs: MeasuredRun[],
  staleMs: number,
): Promise<MeasuredRow[]> =>
  measured(db, {
    ids: runs.map(({ id }) => id),
    runIds: runs.map(({ runId }) => runId),
    heartbeats: runs.map(({ heartbeat }) => JSON.stringify(heartbeat)),
    activities: runs.map(({ heartbeat }) => heartbeat.lastActivityAt?.toISOString() ?? null),
    areWorking: runs.map(({ isWorking }) => isWorking),
    staleMs,
  })
