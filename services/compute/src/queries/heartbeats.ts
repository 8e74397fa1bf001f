import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Measurement } from '../drivers/port.js'

type HeartbeatRow = { heartbeat: Measurement; heartbeat_on: string }

const byInstance = statement<HeartbeatRow>(`
  select heartbeat, heartbeat_on from instance where id = $1 and heartbeat is not null`)

/** The last one. Uses instance_pkey. */
export async function findHeartbeat(db: Db, id: string): Promise<HeartbeatRow | undefined> {
  return (await byInstance(db, id))[0]
}

/** A measured run. */
export type MeasuredRun = { id: string; runId: string; heartbeat: Measurement }

type Measured = {
  ids: string[]
  runIds: string[]
  heartbeats: string[]
  activities: (string | null)[]
}

const measured = statement<never, Measured>(`
  update instance i
     set heartbeat = m.heartbeat, heartbeat_on = clock_timestamp(),
         last_activity_on = greatest(i.last_activity_on, m.last_activity_on)
    from unnest(:ids::uuid[], :runIds::uuid[], :heartbeats::json[], :activities::timestamptz[])
           as m (id, run_id, heartbeat, last_activity_on)
   where i.id = m.id and i.run_id = m.run_id and i.observed = 'running'`)

/** Does not change the version of a row. Uses instance_pkey. */
export async function saveHeartbeats(db: Db, runs: MeasuredRun[]): Promise<void> {
  await measured(db, {
    ids: runs.map(({ id }) => id),
    runIds: runs.map(({ runId }) => runId),
    heartbeats: runs.map(({ heartbeat }) => JSON.stringify(heartbeat)),
    activities: runs.map(({ heartbeat }) => heartbeat.lastActivityAt?.toISOString() ?? null),
  })
}
