import type { Generated, GeneratedAlways, Kysely, Selectable, Transaction } from 'kysely'
import type { Desired, Observed } from '../domain/lifecycle.js'

export type InstanceTable = {
  id: string
  seq: GeneratedAlways<bigint>
  workspace_id: string
  /** Whose plan pays: the organization, or a workspace outside any. */
  holder_id: string
  owner: string
  name: string
  tier: string
  data_volume_gb: number
  desired: Desired
  observed: Observed
  /** The current or the last run. */
  run_id: string
  detail: Generated<string>
  attempts: Generated<number>
  retry_on: string | null
  /** What only the notebook server may know; empty while none runs. */
  secrets_sealed: Generated<Buffer>
  api_key_id: string | null
  /** A key that is to be deleted in identity. */
  old_api_key_id: string | null
  address: Generated<string>
  running_since: string | null
  heartbeat: string | null
  heartbeat_on: string | null
  last_activity_on: string | null
  /** When it is stopped, because the allowance is exhausted; null: it is not. */
  ends_on: string | null
  idle_shutdown_enabled: boolean
  idle_shutdown_seconds: number
  /** What the plan said of idle instances when it was read last; null: it has no maximum. */
  plan_requires_idle_shutdown: Generated<boolean>
  plan_idle_seconds_max: number | null
  /** Since when the current run has been measured without a gap. */
  measured_since: string | null
  /** When it was announced that it is stopped because it is idle, and for when; null: it was not. */
  idle_warned_on: string | null
  idle_stops_on: string | null
  /** When the volume of a terminated instance may be deleted; null: at once. */
  removes_on: string | null
  /** Its workspace can no longer be restored: its rows are deleted when the driver has nothing of it any more. */
  is_purged: Generated<boolean>
  /** Incremented with each change but heartbeats. */
  version: Generated<number>
  created_on: Generated<string>
  updated_on: Generated<string>
}

export type InstanceEventTable = {
  seq: GeneratedAlways<bigint>
  instance_id: string
  kind: string
  lifecycle: string
  detail: string
  /** Empty: Figbase itself. */
  actor: string
  created_on: Generated<string>
}

export type RunTable = {
  id: string
  started_on: string
  instance_id: string
  workspace_id: string
  holder_id: string
  tier: string
  ran_ms: bigint
  /** `started_on` + `ran_ms`. */
  ended_on: string
  has_ended: boolean
}

export type Database = {
  instance: InstanceTable
  instance_event: InstanceEventTable
  run: RunTable
  purge_progress: { is_only: Generated<boolean>; page_token: string }
}

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
export type InstanceEventRow = Selectable<InstanceEventTable>
