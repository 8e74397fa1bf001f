import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** The columns by which lists are sorted; `period` is `YYYY-MM`. */
export type UsageKey = {
  period: string
  username: string
  workspaceId: string
  model: string
  route: string
}

export type UsageRow = {
  period: string
  username: string
  workspace_id: string
  model: string
  route: string
  requests: bigint
  input_tokens: bigint
  output_tokens: bigint
  estimated_tokens: bigint
  /** Of this row and all rows after it, also beyond the page. */
  input_tokens_left: bigint
  output_tokens_left: bigint
}

export type UsagePage = { after: UsageKey | undefined; limit: number }

/** Before all keys. */
const start: UsageKey = {
  period: '0001-01',
  username: '',
  workspaceId: '00000000-0000-0000-0000-000000000000',
  model: '',
  route: '',
}

const key = 'u.month, u.username, u.workspace_id, u.model, u.route'

/** Adds up what a workspace used while it belonged to different organizations. */
const listedWhere = <Scope extends object>(scope: string) =>
  statement<UsageRow, Scope & UsageKey & { limit: number }>(`
    select to_char(u.month, 'YYYY-MM') as period, u.username, u.workspace_id, u.model, u.route,
           sum(u.requests) as requests, sum(u.input_tokens)::bigint as input_tokens,
           sum(u.output_tokens)::bigint as output_tokens, sum(u.estimated_tokens)::bigint as estimated_tokens,
           sum(sum(u.input_tokens)) over ()::bigint as input_tokens_left,
           sum(sum(u.output_tokens)) over ()::bigint as output_tokens_left
      from ai_usage u
     where ${scope}
       and (${key}) > ((:period || '-01')::date, :username, :workspaceId::uuid, :model, :route)
     group by ${key}
     order by ${key}
     limit :limit`)

const values = ({ after = start, limit }: UsagePage) => ({ ...after, limit })
const inMonth = `u.month = (:month || '-01')::date`

const ofUser = listedWhere<{ owner: string; month: string }>(`u.username = :owner and ${inMonth}`)
const ofUserAlways = listedWhere<{ owner: string }>('u.username = :owner')
const ofWorkspace = listedWhere<{ id: string; month: string }>(
  `u.workspace_id = :id::uuid and ${inMonth}`,
)
const ofOrganization = listedWhere<{ id: string; month: string }>(
  `u.organization_id = :id::uuid and ${inMonth}`,
)
const ofSite = listedWhere<{ month: string }>(inMonth)

/** Uses ai_usage_username_idx. */
export const listUserUsage = (db: Db, owner: string, month: string, page: UsagePage) =>
  ofUser(db, { owner, month, ...values(page) })

/** In all months. Uses ai_usage_username_idx. */
export const listUsageHistory = (db: Db, owner: string, page: UsagePage) =>
  ofUserAlways(db, { owner, ...values(page) })

/** Uses ai_usage_key. */
export const listWorkspaceUsage = (db: Db, id: string, month: string, page: UsagePage) =>
  ofWorkspace(db, { id, month, ...values(page) })

/** What workspaces used while they belonged to the organization. Uses ai_usage_organization_idx. */
export const listOrganizationUsage = (db: Db, id: string, month: string, page: UsagePage) =>
  ofOrganization(db, { id, month, ...values(page) })

/** Uses ai_usage_month_idx. */
export const listSiteUsage = (db: Db, month: string, page: UsagePage) =>
  ofSite(db, { month, ...values(page) })

export type MonthRow = {
  period: string
  requests: bigint
  input_tokens: bigint
  output_tokens: bigint
}

const monthsWhere = <Scope extends object>(scope: string) =>
  statement<MonthRow, Scope & { since: string }>(`
    select to_char(u.month, 'YYYY-MM') as period, sum(u.requests)::bigint as requests,
           sum(u.input_tokens)::bigint as input_tokens, sum(u.output_tokens)::bigint as output_tokens
      from ai_usage u
     where ${scope} and u.month >= (:since || '-01')::date
     group by u.month`)

const monthsOfUser = monthsWhere<{ owner: string }>('u.username = :owner')
const monthsOfWorkspace = monthsWhere<{ id: string }>('u.workspace_id = :id::uuid')
const monthsOfOrganization = monthsWhere<{ id: string }>('u.organization_id = :id::uuid')

/** The months with requests. Uses ai_usage_username_idx. */
export const sumUserMonths = (db: Db, owner: string, since: string) =>
  monthsOfUser(db, { owner, since })

/** Uses ai_usage_key. */
export const sumWorkspaceMonths = (db: Db, id: string, since: string) =>
  monthsOfWorkspace(db, { id, since })

/** Uses ai_usage_organization_idx. */
export const sumOrganizationMonths = (db: Db, id: string, since: string) =>
  monthsOfOrganization(db, { id, since })

const byHolder = statement<
  { holder_id: string; tokens: bigint },
  { ids: string[]; month: string }
>(`
  select u.holder_id, u.tokens
    from (
      select h.id as holder_id,
             coalesce((
               select sum(o.input_tokens + o.output_tokens) from ai_usage o
                where o.organization_id = h.id and o.month = (:month || '-01')::date), 0)::bigint
             + coalesce((
               select sum(w.input_tokens + w.output_tokens) filter (where w.organization_id is null) from ai_usage w
                where w.workspace_id = h.id and w.month = (:month || '-01')::date), 0)::bigint as tokens
        from unnest(:ids::uuid[]) as h (id)
    ) u
   where u.tokens > 0`)

/**
 * What organizations used in a month, and workspaces outside of any, without those that used nothing. Uses
 * ai_usage_organization_idx and ai_usage_key.
 */
export const sumByHolder = (db: Db, ids: string[], month: string) => byHolder(db, { ids, month })
