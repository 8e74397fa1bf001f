import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { type InstanceRow, instanceColumns } from './instances.js'

/** A running instance; `is_over`: the grace period of an exhausted allowance has passed. */
export type RunningRow = InstanceRow & { is_over: boolean }

const running = statement<RunningRow>(`
  select ${instanceColumns}, coalesce(i.ends_on <= clock_timestamp(), false) as is_over from instance i
   where i.desired = 'running' and i.id > $1 order by i.id limit $2`)

/** Those that run or shall run, after an id. Uses instance_active_idx. */
export const listRunning = (db: Db, after: string, limit: number): Promise<RunningRow[]> =>
  running(db, after, limit)
