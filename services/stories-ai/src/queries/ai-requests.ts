import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** Who pays for a request, and for what it is. */
export type NewRequest = {
  id: string
  holderId: string
  workspaceId: string
  organizationId: string | null
  username: string
  model: string
  route: string
  inputTokens: number
}

/** SQL for the first day of this month in UTC. */
const thisMonth = `date_trunc('month', now() at time zone 'utc')::date`
const afterLifetime = `now() + :lifetimeMs::bigint * interval '1 ms'`

type Limits = { quota: bigint | null; lifetimeMs: number }

const reserved = statement<{ id: string }, NewRequest & Limits>(`
  with quota as (
    insert into ai_quota as q (holder_id, month, reserved_tokens)
    select :holderId::uuid, ${thisMonth}, :inputTokens::int
     where :quota::bigint is null or :inputTokens <= :quota
        on conflict on constraint ai_quota_pkey do update
       set reserved_tokens = q.reserved_tokens + excluded.reserved_tokens
     where :quota is null or q.used_tokens + q.reserved_tokens + excluded.reserved_tokens <= :quota
    returning q.month)
  insert into ai_request (id, holder_id, workspace_id, organization_id, username, model, route, month,
                          input_tokens, expires_on)
  select :id::uuid, :holderId, :workspaceId::uuid, :organizationId::uuid, :username, :model, :route,
         q.month, :inputTokens, ${afterLifetime}
    from quota q
  returning id`)

/** Writes a request down before it is sent; false if the quota has too few tokens left. Uses ai_quota_pkey. */
export async function insertRequest(db: Db, request: NewRequest, limits: Limits): Promise<boolean> {
  return (await reserved(db, { ...request, ...limits })).length > 0
}

const extended = statement<never, { id: string; outputTokens: number; lifetimeMs: number }>(`
  update ai_request set output_tokens = :outputTokens::int, expires_on = ${afterLifetime}
   where id = :id::uuid`)

/** Notes what a running request has received so far. */
export async function extendRequest(
  db: Db,
  id: string,
  outputTokens: number,
  lifetimeMs: number,
): Promise<void> {
  await extended(db, { id, outputTokens, lifetimeMs })
}

/** The tokens of a request that ended; null: those that its row has. */
export type Settlement = {
  inputTokens: number | null
  outputTokens: number | null
  /** The part of them that no provider reported; null: all. */
  estimatedTokens: number | null
  /** False for a failure of the provider, which costs nothing. */
  isCounted: boolean
}

const settled = statement<{ id: string }, Settlement & { ids: string[] }>(`
  with ended as (
    delete from ai_request where id = any(:ids::uuid[])
    returning id, holder_id, workspace_id, organization_id, username, model, route, month,
              input_tokens as reserved,
              case when :isCounted::boolean then coalesce(:inputTokens::int, input_tokens) else 0 end as input,
              case when :isCounted then coalesce(:outputTokens::int, output_tokens) else 0 end as output),
  counted as (
    insert into ai_usage as u (workspace_id, month, username, organization_id, model, route, requests,
                               input_tokens, output_tokens, estimated_tokens)
    select workspace_id, month, username, organization_id, model, route, count(*), sum(input), sum(output),
           sum(coalesce(:estimatedTokens::int, input + output))
      from ended where :isCounted
     group by workspace_id, month, username, organization_id, model, route
        on conflict on constraint ai_usage_key do update
       set requests = u.requests + excluded.requests,
           input_tokens = u.input_tokens + excluded.input_tokens,
           output_tokens = u.output_tokens + excluded.output_tokens,
           estimated_tokens = u.estimated_tokens + excluded.estimated_tokens),
  quota as (
    update ai_quota q
       set used_tokens = q.used_tokens + e.used, reserved_tokens = q.reserved_tokens - e.reserved
      from (select holder_id, month, sum(input + output) as used, sum(reserved) as reserved
              from ended group by holder_id, month) e
     where q.holder_id = e.holder_id and q.month = e.month)
  select id from ended`)

/** Moves requests from the open ones to the usage. Does nothing for those that are settled already. */
export async function settleRequests(
  db: Db,
  ids: string[],
  settlement: Settlement,
): Promise<number> {
  return (await settled(db, { ids, ...settlement })).length
}

const expired = statement<{ id: string }>(
  'select id from ai_request where expires_on < now() order by expires_on limit $1',
)

/** Requests of processes that ended. Uses ai_request_expires_idx. */
export async function listExpiredRequests(db: Db, limit: number): Promise<string[]> {
  return (await expired(db, limit)).map(({ id }) => id)
}

export type QuotaState = {
  usedTokens: bigint
  reservedTokens: bigint
  renewsOn: string
  secondsLeft: number
}

const state = statement<{
  used: bigint
  reserved: bigint
  renews_on: string
  seconds_left: number
}>(`
  select coalesce(q.used_tokens, 0)::bigint as used, coalesce(q.reserved_tokens, 0)::bigint as reserved,
         (m.month + interval '1 month') at time zone 'utc' as renews_on,
         ceil(extract(epoch from (m.month + interval '1 month') - (now() at time zone 'utc')))::int as seconds_left
    from (select ${thisMonth} as month) m
    left join ai_quota q on q.holder_id = $1::uuid and q.month = m.month`)

/** What was used of the quota of this month, and the time until the next one. Uses ai_quota_pkey. */
export async function getQuotaState(db: Db, holderId: string): Promise<QuotaState> {
  const [row] = await state(db, holderId)
  if (!row) throw new Error('the state of the quota has no row')
  return {
    usedTokens: row.used,
    reservedTokens: row.reserved,
    renewsOn: row.renews_on,
    secondsLeft: row.seconds_left,
  }
}
