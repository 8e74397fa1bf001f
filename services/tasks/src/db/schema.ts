import type { Generated, GeneratedAlways, Kysely, Selectable, Transaction } from 'kysely'
import type { Delivery, NotificationKind, StoredSettings } from '../domain/notification-settings.js'
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

export type WebhookTable = {
  id: string
  seq: GeneratedAlways<bigint>
  /** Its place is a workspace or an organization. */
  workspace_id: string | null
  organization_id: string | null
  url: string
  secret_sealed: Buffer
  /** Empty: none. */
  previous_secret_sealed: Generated<Buffer>
  previous_secret_until: string | null
  events: string[]
  object_ids: string[]
  format: WebhookFormat
  payload: WebhookPayload
  is_active: boolean
  deactivation_reason: Generated<string>
  failing_since: string | null
  created_by: string
  created_on: Generated<string>
  updated_on: Generated<string>
}

export type WorkspacePlaceTable = {
  workspace_id: string
  organization_id: string | null
  at: string
}

export type WebhookDeliveryTable = {
  id: Generated<string>
  seq: GeneratedAlways<bigint>
  webhook_id: string
  event: string
  object_id: string
  /** EventData, as JSON. */
  data: string
  state: Generated<DeliveryState>
  created_on: Generated<string>
  attempts: Generated<number>
  body: string | null
  attempted_on: string | null
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
}

export type WebhookQueueTable = {
  id: GeneratedAlways<bigint>
  webhook_id: string
  object_id: string
  due_on: Generated<string>
  version: Generated<number>
}

export type NotificationSettingsTable = StoredSettings & {
  /** In lower case. */
  username: string
  digested_on: string | null
  updated_on: Generated<string>
}

export type NotificationTable = {
  id: Generated<string>
  seq: GeneratedAlways<bigint>
  /** In lower case. */
  username: string
  kind: NotificationKind
  /** Who caused it; empty: nobody. */
  actor: string
  /** A node, or a task. */
  object_id: string
  comment_id: string | null
  created_on: Generated<string>
  /** Null until the choice of the person was applied. */
  delivery: Exclude<Delivery, 'NONE'> | null
  mailed_on: string | null
}

export type WebhookFormat = 'json' | 'slack' | 'mattermost' | 'teams'
export type WebhookPayload = 'thin' | 'full'
export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED'

export type Database = {
  task: TaskTable
  task_log: TaskLogTable
  live_event: LiveEventTable
  webhook: WebhookTable
  workspace_place: WorkspacePlaceTable
  webhook_delivery: WebhookDeliveryTable
  webhook_queue: WebhookQueueTable
  notification_settings: NotificationSettingsTable
  notification: NotificationTable
}

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
export type TaskRow = Selectable<TaskTable>
export type NotificationRow = Selectable<NotificationTable>
export type WebhookRow = Selectable<WebhookTable>
