import { type Executor, statement } from '@figbase/kit/db'
import type { Tx, WebhookRow } from '../db/schema.js'

const columns = `
  w.id, w.seq, w.workspace_id, w.organization_id, w.url, w.secret_sealed, w.previous_secret_sealed,
  w.previous_secret_until, w.events, w.object_ids, w.format, w.payload, w.is_active,
  w.deactivation_reason, w.failing_since, w.created_by, w.created_on, w.updated_on`

export type NewWebhook = Pick<
  WebhookRow,
  | 'id'
  | 'workspace_id'
  | 'organization_id'
  | 'url'
  | 'secret_sealed'
  | 'events'
  | 'object_ids'
  | 'format'
  | 'payload'
  | 'is_active'
  | 'created_by'
>

const locked = statement<never>(`select pg_advisory_xact_lock(hashtext('webhooks of ' || $1))`)

/** Until the end of the transaction, nobody else adds a webhook to the place. */
export async function lockPlace(tx: Tx, placeId: string): Promise<void> {
  await locked(tx, placeId)
}

const inserted = statement<WebhookRow, NewWebhook & { max: number }>(`
  with siblings as (
    select count(*) as number from webhook w
     where w.workspace_id = :workspace_id::uuid or w.organization_id = :organization_id::uuid
  )
  insert into webhook as w (id, workspace_id, organization_id, url, secret_sealed, events, object_ids, format,
    payload, is_active, created_by)
  select :id::uuid, :workspace_id::uuid, :organization_id::uuid, :url, :secret_sealed::bytea, :events::text[],
         :object_ids::uuid[], :format, :payload, :is_active::boolean, :created_by
    from siblings s where s.number < :max
  returning ${columns}`)

/** Undefined when its place, which must be locked, already has the maximum number. */
export async function insertWebhook(
  db: Executor,
  webhook: NewWebhook,
  max: number,
): Promise<WebhookRow | undefined> {
  return (await inserted(db, { ...webhook, max }))[0]
}

const ofPlace = statement<WebhookRow>(`
  select ${columns} from webhook w where w.workspace_id = $1::uuid or w.organization_id = $1::uuid
   order by w.seq limit $2`)

export function listWebhooks(db: Executor, placeId: string, limit: number): Promise<WebhookRow[]> {
  return ofPlace(db, placeId, limit)
}

const found = statement<WebhookRow>(`select ${columns} from webhook w where w.id = $1`)

export async function findWebhook(db: Executor, id: string): Promise<WebhookRow | undefined> {
  return (await found(db, id))[0]
}

/** Null members are not changed. */
export type WebhookChanges = {
  url: string | null
  events: string[] | null
  objectIds: string[] | null
  format: string | null
  payload: string | null
  isActive: boolean | null
}

// What was pending when it was deactivated goes on when it is active again.
const updated = statement<WebhookRow, WebhookChanges & { id: string }>(`
  with w as (
    update webhook w
       set url = coalesce(:url, w.url), events = coalesce(:events::text[], w.events),
           object_ids = coalesce(:objectIds::uuid[], w.object_ids), format = coalesce(:format, w.format),
           payload = coalesce(:payload, w.payload), is_active = coalesce(:isActive::boolean, w.is_active),
           deactivation_reason = case when :isActive::boolean then '' else w.deactivation_reason end,
           failing_since = case when :isActive::boolean then null else w.failing_since end,
           updated_on = now()
     where w.id = :id
    returning ${columns}
  ), emptied as (
    delete from webhook_queue q where q.webhook_id = :id and :isActive::boolean is false
  ), queued as (
    insert into webhook_queue (webhook_id, object_id)
    select distinct d.webhook_id, d.object_id from w join webhook_delivery d on d.webhook_id = w.id
     where d.state = 'PENDING' and :isActive::boolean
    on conflict on constraint webhook_queue_pkey do update set version = webhook_queue.version + 1
  )
  select ${columns} from w`)

export async function updateWebhook(
  db: Executor,
  id: string,
  changes: WebhookChanges,
): Promise<WebhookRow | undefined> {
  return (await updated(db, { ...changes, id }))[0]
}

const rotated = statement<WebhookRow, { id: string; sealed: Buffer; overlapMs: number }>(`
  update webhook w
     set secret_sealed = :sealed::bytea, previous_secret_sealed = w.secret_sealed,
         previous_secret_until = now() + interval '1 millisecond' * :overlapMs::float8, updated_on = now()
   where w.id = :id
  returning ${columns}`)

export async function rotateSecret(
  db: Executor,
  id: string,
  sealed: Buffer,
  overlapMs: number,
): Promise<WebhookRow | undefined> {
  return (await rotated(db, { id, sealed, overlapMs }))[0]
}

const deleted = statement<never>('delete from webhook where id = $1')

export async function deleteWebhook(db: Executor, id: string): Promise<void> {
  await deleted(db, id)
}

const deletedOf = statement<never>(`
  delete from webhook where workspace_id = any($1::uuid[]) or organization_id = any($1::uuid[])`)

/** With their deliveries. */
export async function deleteWebhooksOf(db: Executor, placeIds: string[]): Promise<void> {
  await deletedOf(db, placeIds)
}

const deactivated = statement<WebhookRow, { id: string; updatedOn: string; reason: string }>(`
  with w as (
    update webhook w set is_active = false, deactivation_reason = :reason, updated_on = now()
     where w.id = :id and w.is_active and w.updated_on = :updatedOn::timestamptz
    returning ${columns}
  ), emptied as (
    delete from webhook_queue q using w where q.webhook_id = w.id
  )
  select ${columns} from w`)

/** Undefined when it was not active, or was changed since. */
export async function deactivateWebhook(
  db: Executor,
  id: string,
  updatedOn: string,
  reason: string,
): Promise<WebhookRow | undefined> {
  return (await deactivated(db, { id, updatedOn, reason }))[0]
}

const places = statement<never>(`
  insert into workspace_place as p (workspace_id, organization_id, at)
  select id, $2::uuid, $3::timestamptz from unnest($1::uuid[]) as id
  on conflict on constraint workspace_place_pkey do update
     set organization_id = excluded.organization_id, at = excluded.at
   where p.at < excluded.at`)

/** Stores the organization of these workspaces as of a time. */
export async function insertPlaces(
  db: Executor,
  workspaceIds: string[],
  organizationId: string,
  at: string,
): Promise<void> {
  await places(db, workspaceIds, organizationId, at)
}
