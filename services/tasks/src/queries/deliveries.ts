import { type Cursor, type Executor, statement } from '@figbase/kit/db'
import type { Selectable } from 'kysely'
import type { WebhookDeliveryTable, WebhookRow } from '../db/schema.js'
import type { EventData } from '../domain/webhook-events.js'
import { queueing } from './insert-deliveries.js'

export type DeliveryRow = Omit<Selectable<WebhookDeliveryTable>, 'data'> & {
  due_on: string | null
}

const columns = `
  d.id, d.seq, d.webhook_id, d.event, d.object_id, d.state, d.created_on, d.attempts, d.body,
  d.attempted_on, d.duration_ms, d.response_status, d.response_body, d.error,
  case when d.state = 'PENDING' then (
    select q.due_on from webhook_queue q where q.webhook_id = d.webhook_id and q.object_id = d.object_id
  ) end as due_on`

const page = statement<
  DeliveryRow,
  { webhookId: string; limit: number; createdOn: string | null; seq: string | null }
>(`
  select ${columns} from webhook_delivery d
   where d.webhook_id = :webhookId and (d.created_on, d.seq)
         < (coalesce(:createdOn::timestamptz, 'infinity'), coalesce(:seq::bigint, 0))
   order by d.created_on desc, d.seq desc limit :limit`)

/** Newest first. */
export function listDeliveries(
  db: Executor,
  webhookId: string,
  limit: number,
  after?: Cursor,
): Promise<DeliveryRow[]> {
  const { createdOn = null, seq = null } = after ?? {}
  return page(db, { webhookId, limit, createdOn, seq })
}

const found = statement<DeliveryRow>(`select ${columns} from webhook_delivery d where d.id = $1`)

export async function findDelivery(db: Executor, id: string): Promise<DeliveryRow | undefined> {
  return (await found(db, id))[0]
}

const inserted = statement<DeliveryRow, { webhookId: string; event: string; data: string }>(`
  with d as (
    insert into webhook_delivery as d (webhook_id, event, object_id, data)
    values (:webhookId, :event, :webhookId::uuid, :data::json)
    returning d.*
  ), queued as (${queueing('d')})
  select ${columns} from d`)

/** Of an event about the webhook itself. */
export async function insertDelivery(
  db: Executor,
  webhookId: string,
  event: string,
  data: object,
): Promise<DeliveryRow> {
  const [row] = await inserted(db, { webhookId, event, data: JSON.stringify(data) })
  if (!row) throw new Error('a delivery was not inserted')
  return row
}

const again = statement<DeliveryRow>(`
  with d as (
    update webhook_delivery d set state = 'PENDING', attempts = 0 where d.id = $1
    returning d.*
  ), queued as (
    insert into webhook_queue (webhook_id, object_id) select d.webhook_id, d.object_id from d
    on conflict on constraint webhook_queue_pkey do update
       set version = webhook_queue.version + 1, due_on = now()
  )
  select ${columns} from d`)

/** Makes it the next one of its object. */
export async function requeueDelivery(db: Executor, id: string): Promise<DeliveryRow | undefined> {
  return (await again(db, id))[0]
}

const old = statement<{ id: string }>(`
  delete from webhook_delivery where id = any(array(
    select id from webhook_delivery where created_on < now() - interval '1 millisecond' * $1::float8
     order by created_on limit $2 for update skip locked))
  returning id`)

/** Deletes deliveries older than `olderMs`; returns how many. */
export async function deleteOldDeliveries(
  db: Executor,
  olderMs: number,
  limit: number,
): Promise<number> {
  return (await old(db, olderMs, limit)).length
}

/** An object in the queue, leased until `leased_until`; without a delivery if nothing is pending. */
export type Claimed = { object_id: string; leased_until: string; version: number } & Pick<
  WebhookRow,
  | 'url'
  | 'secret_sealed'
  | 'previous_secret_sealed'
  | 'format'
  | 'payload'
  | 'workspace_id'
  | 'organization_id'
  | 'created_by'
> & {
    webhook_id: string
    /** When the webhook was changed last. */
    webhook_updated_on: string
    is_overlapping: boolean
    delivery_id: string | null
    event: string
    data: EventData
    attempts: number
    created_on: string
    body: string | null
  }

export type ClaimLimits = {
  slots: number
  perWebhook: number
  leaseMs: number
  /** Running attempts of this process by webhook. */
  running: Record<string, number>
}

// Finds the webhooks in the queue by their index, so that the length of one queue does not matter to others.
const claimed = statement<Claimed, Omit<ClaimLimits, 'running'> & { running: string }>(`
  with recursive hook (id) as (
    (select q.webhook_id from webhook_queue q order by q.webhook_id limit 1)
    union all
    select (select q.webhook_id from webhook_queue q where q.webhook_id > h.id order by q.webhook_id limit 1)
      from hook h where h.id is not null
  ), due as materialized (
    select o.id
      from hook h join webhook w on w.id = h.id
     cross join lateral (
       select q.id, q.due_on from webhook_queue q
        where q.webhook_id = h.id and q.due_on <= now()
        order by q.due_on
        limit greatest(0, case when w.failing_since is null then :perWebhook::int else 1 end
                          - coalesce((:running::json ->> h.id::text)::int, 0))
          for update skip locked
     ) o
     order by o.due_on limit :slots
  ), leased as (
    update webhook_queue q set due_on = now() + interval '1 millisecond' * :leaseMs::float8
     where q.id = any(array(select d.id from due d))
    returning q.webhook_id, q.object_id, q.due_on, q.version
  )
  select l.webhook_id, l.object_id, l.due_on::text as leased_until, l.version, w.url, w.secret_sealed,
         w.previous_secret_sealed, w.previous_secret_until > now() as is_overlapping, w.format, w.payload,
         w.updated_on::text as webhook_updated_on,
         w.workspace_id, w.organization_id, w.created_by, d.id as delivery_id, d.event, d.data, d.attempts,
         d.created_on, d.body
    from leased l join webhook w on w.id = l.webhook_id
    left join lateral (
      select p.* from webhook_delivery p
       where p.webhook_id = l.webhook_id and p.object_id = l.object_id and p.state = 'PENDING'
       order by p.seq limit 1
    ) d on true`)

/** Leases due objects, each with its first pending delivery. */
export function claimDeliveries(
  db: Executor,
  { running, ...limits }: ClaimLimits,
): Promise<Claimed[]> {
  return claimed(db, { ...limits, running: JSON.stringify(running) })
}

const next = statement<{ in_ms: number | null }>(`
  select (extract(epoch from min(q.due_on) - now()) * 1000)::float8 as in_ms from webhook_queue q`)

/** Undefined when the queue is empty. */
export async function nextDueInMs(db: Executor): Promise<number | undefined> {
  return (await next(db))[0]?.in_ms ?? undefined
}

const done = statement<never>(`
  delete from webhook_queue q using unnest($1::uuid[], $2::uuid[], $3::int[]) as e (webhook_id, object_id, version)
   where q.webhook_id = e.webhook_id and q.object_id = e.object_id and q.version = e.version`)

/** Removes objects without pending deliveries, unless they got new ones. */
export async function deleteDone(db: Executor, rows: Claimed[]): Promise<void> {
  const columns = [
    rows.map((row) => row.webhook_id),
    rows.map((row) => row.object_id),
    rows.map((row) => row.version),
  ]
  await done(db, ...columns)
}

export type Outcome = {
  deliveryId: string
  webhookId: string
  objectId: string
  leasedUntil: string
  state: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** Until the next attempt of the object. */
  delayMs: number
  /** Whether it says something about the receiver; a test does not. */
  counts: boolean
  body: string | null
  durationMs: number | null
  responseStatus: number | null
  responseBody: string | null
  error: string | null
}

const recorded = statement<{ failing_ms: number }, Outcome>(`
  with delivery as (
    update webhook_delivery
       set state = :state, attempts = attempts + 1, attempted_on = now(), body = coalesce(body, :body),
           duration_ms = :durationMs::int, response_status = :responseStatus::int,
           response_body = :responseBody, error = :error
     where id = :deliveryId::uuid and state = 'PENDING'
  ), released as (
    update webhook_queue set due_on = now() + interval '1 millisecond' * :delayMs::float8
     where webhook_id = :webhookId::uuid and object_id = :objectId::uuid and due_on = :leasedUntil::timestamptz
  ), hook as (
    update webhook set failing_since = case when :error::text is not null then coalesce(failing_since, now()) end
     where id = :webhookId::uuid and :counts::boolean
       and (failing_since is null) = (:error::text is not null)
    returning failing_since
  )
  select coalesce(extract(epoch from now() - w.failing_since) * 1000, 0)::float8 as failing_ms
    from webhook w where w.id = :webhookId::uuid and :error::text is not null`)

/** Records an attempt, and returns for how long the webhook has been failing. */
export async function recordAttempt(db: Executor, outcome: Outcome): Promise<number> {
  return (await recorded(db, outcome))[0]?.failing_ms ?? 0
}
