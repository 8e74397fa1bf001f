import type { Generated, GeneratedAlways, Kysely, Selectable, Transaction } from 'kysely'
import type { Status } from '../domain/status.js'

export type TaskTable = {
  id: string
  seq: GeneratedAlways<bigint>
  owner: string
  name: string
  type: string
  status: Generated<Status>
  progress_percent: Generated<number>
  status_message: string | null
  /** JSON, as text. */
  detail: string | null
  result: string | null
  error: string | null
  logs_dropped: Generated<number>
  created_on: Generated<string>
  started_on: string | null
  completed_on: string | null
  revoked_by: string | null
}

export type TaskLogTable = {
  task_id: string
  seq: GeneratedAlways<bigint>
  at: string
  line: string
}

export type LiveEventTable = {
  id: GeneratedAlways<bigint>
  at: Generated<string>
  /** The only user who may see it; null: all who may view the workspace, and the object if there is one. */
  owner: string | null
  workspace_id: string | null
  object_id: string | null
  task_id: string | null
  /** A FollowEventsResponse without its id, as JSON. */
  message: string
}

export type Database = { task: TaskTable; task_log: TaskLogTable; live_event: LiveEventTable }

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
export type TaskRow = Selectable<TaskTable>
