import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'
import type { PaysBy } from '../domain/billing/lines.js'
import { isAlive } from './node-sql.js'
import type { ContainerKind } from './organizations.js'

export type AccountRow = {
  holder_id: string
  holder_type: ContainerKind
  name: string
  address: string
  country: string
  tax_id: string
  email: string
  pays_by: PaysBy
  next_period: string | null
  provider_customer_id: string | null
  has_payment_method: boolean
}

const columns = `a.holder_id, a.holder_type, a.name, a.address, a.country, a.tax_id, a.email, a.pays_by, a.next_period,
  a.provider_customer_id, a.has_payment_method`

/** SQL for the terms of plan `p` as columns of billing_change, from plan_id to annual_minor. `:scale`: minor units of 1. */
const planTerms = `p.id, p.name, round(p.monthly_cost * :scale::numeric)::bigint,
  round(p.annual_cost * :scale::numeric)::bigint`

const changeColumns = `holder_id, changed_on, plan_id, plan_name, monthly_minor, annual_minor, pays_by, seats,
  max_storage_bytes, monthly_compute_seconds, monthly_token_quota, compute_overages_enabled`

const startOf = (period: string) => `((${period} || '-01')::timestamp at time zone 'utc')`

const lastChange = (holder: string) => `
  select b.* from billing_change b where b.holder_id = ${holder} order by b.changed_on desc limit 1`

const recorded = statement<never, { ids: string[]; scale: number }>(`
  with holder as (
    select n.id, n.type, ${isAlive('n')} and n.state = 'active' and n.organization_id is null as pays
      from node n where n.id = any(:ids::uuid[])
  ), account as (
    insert into billing_account as a (holder_id, holder_type, next_period)
    select h.id, h.type, to_char(now() at time zone 'utc', 'YYYY-MM') from holder h where h.pays
    on conflict on constraint billing_account_pkey do update set next_period = excluded.next_period
     where a.next_period is null
    returning a.holder_id
  ), present as (
    select h.id as holder_id, ${planTerms}, coalesce(a.pays_by, 'month'),
           (select count(distinct g.subject)::int from access_grant g
             where g.kind = 'member' and g.node_id = any(array(
               select m.id from node m where (m.id = h.id or m.organization_id = h.id) and ${isAlive('m')}))),
           p.max_storage_bytes, p.monthly_compute_seconds, p.monthly_token_quota,
           coalesce(s.compute_overages_enabled, false)
      from holder h
      left join billing_account a on a.holder_id = h.id
      left join subscription s on s.node_id = h.id
      join plan p on p.id = coalesce(s.plan_id, (select d.id from plan d where d.is_default))
     where h.pays
    union all
    select h.id, null, '', 0, 0, 'month', 0, null, null, null, false
      from holder h where not h.pays and exists (select from billing_account a where a.holder_id = h.id)
  ), changed (holder_id, plan_id, plan_name, monthly_minor, annual_minor, pays_by, seats, max_storage_bytes,
              monthly_compute_seconds, monthly_token_quota, compute_overages_enabled) as (
    select p.* from present p
  )
  insert into billing_change (${changeColumns})
  select c.holder_id,
         greatest(date_trunc('second', now()), ${startOf('a.next_period')}),
         c.plan_id, c.plan_name,
         -- Another price of the same plan is valid from the next month on.
         case when l.plan_id = c.plan_id then l.monthly_minor else c.monthly_minor end,
         case when l.plan_id = c.plan_id then l.annual_minor else c.annual_minor end,
         c.pays_by, c.seats, c.max_storage_bytes, c.monthly_compute_seconds, c.monthly_token_quota,
         c.compute_overages_enabled
    from changed c
    left join billing_account a on a.holder_id = c.holder_id
    left join lateral (${lastChange('c.holder_id')}) l on true
   where l.holder_id is null
      or (l.plan_id, l.pays_by, l.seats, l.max_storage_bytes, l.monthly_compute_seconds, l.monthly_token_quota,
          l.compute_overages_enabled)
         is distinct from
         (c.plan_id, c.pays_by, c.seats, c.max_storage_bytes, c.monthly_compute_seconds, c.monthly_token_quota,
          c.compute_overages_enabled)
  on conflict on constraint billing_change_pkey do update
     set plan_id = excluded.plan_id, plan_name = excluded.plan_name, monthly_minor = excluded.monthly_minor,
         annual_minor = excluded.annual_minor, pays_by = excluded.pays_by, seats = excluded.seats,
         max_storage_bytes = excluded.max_storage_bytes,
         monthly_compute_seconds = excluded.monthly_compute_seconds,
         monthly_token_quota = excluded.monthly_token_quota,
         compute_overages_enabled = excluded.compute_overages_enabled`)

/**
 * Records what the holders have now, where it differs from what was recorded last. A holder that was deleted or joined an
 * organization has nothing any more. Uses billing_account_pkey and billing_change_pkey.
 */
export async function recordHolders(db: Db, ids: string[], scale: number): Promise<void> {
  await recorded(db, { ids, scale })
}

type Page = { after: string; limit: number }

const workspaceIds = statement<{ id: string }, Page>(`
  select n.id from node n where n.type = 'workspace' and n.id > :after::uuid order by n.id limit :limit`)
const organizationIds = statement<{ id: string }, Page>(`
  select o.node_id as id from organization o where o.node_id > :after::uuid order by o.node_id limit :limit`)

/** Also deleted ones. Uses node_is_workspace_idx or organization_pkey. */
export async function listContainerIds(db: Db, kind: ContainerKind, page: Page): Promise<string[]> {
  const rows = await (kind === 'workspace' ? workspaceIds : organizationIds)(db, page)
  return rows.map(({ id }) => id)
}

const byHolder = statement<AccountRow>(
  `select ${columns} from billing_account a where a.holder_id = $1`,
)

export async function findAccount(db: Db, holderId: string): Promise<AccountRow | undefined> {
  return (await byHolder(db, holderId))[0]
}

/** An account with the name of its holder. */
export type PayerRow = AccountRow & {
  holder_name: string
  /** Whether the invoices have pages: false after the holder was deleted, or joined an organization. */
  has_pages: boolean
}

const payers = statement<PayerRow>(`
  select ${columns}, coalesce(n.name, '') as holder_name,
         coalesce(n.organization_id is null and ${isAlive('n')}, false) as has_pages
    from billing_account a left join node n on n.id = a.holder_id
   where a.holder_id = any($1::uuid[])`)

/** Uses billing_account_pkey and node_pkey. */
export const listPayers = (db: Db, holderIds: string[]): Promise<PayerRow[]> =>
  payers(db, holderIds)

export type Details = Pick<
  AccountRow,
  'name' | 'address' | 'country' | 'tax_id' | 'email' | 'pays_by'
>

const updated = statement<never, { [K in keyof Details]: string | null } & { holderId: string }>(`
  update billing_account a
     set name = coalesce(:name::text, a.name), address = coalesce(:address::text, a.address),
         country = coalesce(:country::text, a.country), tax_id = coalesce(:tax_id::text, a.tax_id),
         email = coalesce(:email::text, a.email), pays_by = coalesce(:pays_by::text, a.pays_by)
   where a.holder_id = :holderId::uuid`)

/** Null values are not changed. */
export async function updateAccount(
  tx: Tx,
  holderId: string,
  details: { [K in keyof Details]: string | null },
): Promise<void> {
  await updated(tx, { ...details, holderId })
}

const due = statement<
  { holder_id: string; next_period: string },
  { period: string; limit: number }
>(`
  select a.holder_id, a.next_period from billing_account a
   where a.next_period <= :period order by a.next_period, a.holder_id limit :limit`)

/** The holders whose months up to `period` are to be invoiced, the oldest month first. Uses billing_account_next_idx. */
export const listDue = (db: Db, period: string, limit: number) => due(db, { period, limit })

export type ChangeRow = {
  holder_id: string
  at: number
  plan_id: string | null
  plan_name: string
  monthly_minor: bigint
  annual_minor: bigint
  pays_by: PaysBy
  seats: number
  max_storage_bytes: bigint | null
  monthly_compute_seconds: bigint | null
  monthly_token_quota: bigint | null
  compute_overages_enabled: boolean
}

const changes = statement<ChangeRow, { ids: string[]; from: string; to: string }>(`
  select c.holder_id, extract(epoch from c.changed_on)::float8 as at, c.plan_id, c.plan_name, c.monthly_minor,
         c.annual_minor, c.pays_by, c.seats, c.max_storage_bytes, c.monthly_compute_seconds, c.monthly_token_quota,
         c.compute_overages_enabled
    from unnest(:ids::uuid[]) as h (id)
    join billing_change c on c.holder_id = h.id
   where c.changed_on < :to::timestamptz
     and c.changed_on >= coalesce(
       (select b.changed_on from billing_change b
         where b.holder_id = h.id and b.changed_on <= :from::timestamptz order by b.changed_on desc limit 1),
       :from::timestamptz)
   order by c.holder_id, c.changed_on`)

/** What holders had in a period: the last change before it, and those in it. Uses billing_change_pkey. */
export const listChanges = (
  db: Db,
  ids: string[],
  { from, to }: { from: string; to: string },
): Promise<ChangeRow[]> => changes(db, { ids, from, to })

type Closing = { ids: string[]; period: string; next: string; scale: number }

const closed = statement<{ holder_id: string }, Closing>(`
  with due as (
    select a.holder_id from billing_account a
     where a.holder_id = any(:ids::uuid[]) and a.next_period = :period
     order by a.holder_id for update
  ), last as (
    select d.holder_id, l.plan_id, l.pays_by, l.seats, l.compute_overages_enabled
      from due d
      left join lateral (
        select c.plan_id, c.pays_by, c.seats, c.compute_overages_enabled from billing_change c
         where c.holder_id = d.holder_id and c.changed_on <= ${startOf(':next')}
         order by c.changed_on desc limit 1
      ) l on true
  ), renewed as (
    insert into billing_change (${changeColumns})
    select l.holder_id, ${startOf(':next')}, ${planTerms}, l.pays_by, l.seats, p.max_storage_bytes,
           p.monthly_compute_seconds, p.monthly_token_quota, l.compute_overages_enabled
      from last l join plan p on p.id = l.plan_id
    on conflict on constraint billing_change_pkey do nothing
  )
  update billing_account a set next_period = case
           when l.plan_id is null and not exists (
             select from billing_change c where c.holder_id = a.holder_id and c.changed_on > ${startOf(':next')})
           then null else :next end
    from last l where a.holder_id = l.holder_id
  returning a.holder_id`)

/**
 * Ends a month of holders: the next one begins with the present prices of their plans. Returns those whose month had not
 * ended yet. Uses billing_account_pkey and billing_change_pkey.
 */
export async function closePeriod(db: Db, closing: Closing): Promise<string[]> {
  return (await closed(db, closing)).map(({ holder_id }) => holder_id)
}

const stored = statement<{ holder_id: string; bytes: bigint }, { ids: string[]; period: string }>(`
  select h.id as holder_id, sum(m.bytes)::bigint as bytes
    from unnest(:ids::uuid[]) as h (id)
    join node n on n.id = h.id or n.organization_id = h.id
    join stored_month m on m.workspace_id = n.id and m.period = :period
   group by h.id`)

/** The most that holders stored in a month. Uses node_pkey, node_organization_idx and stored_month_pkey. */
export const listStored = (db: Db, ids: string[], period: string) => stored(db, { ids, period })

const customer = statement<never, { holderId: string; customerId: string }>(`
  update billing_account set provider_customer_id = :customerId where holder_id = :holderId::uuid`)

export async function setCustomer(db: Db, holderId: string, customerId: string): Promise<void> {
  await customer(db, { holderId, customerId })
}

const paymentMethod = statement<never, { customerId: string; has: boolean }>(`
  update billing_account set has_payment_method = :has where provider_customer_id = :customerId`)

/** Uses billing_account_customer_key. */
export async function setPaymentMethod(db: Db, customerId: string, has: boolean): Promise<void> {
  await paymentMethod(db, { customerId, has })
}
