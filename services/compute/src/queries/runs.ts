import { statement } from '@figbase/kit/db'
import type { Period } from '@figbase/kit/text'
import type { Db } from '../db/schema.js'

/** What the driver reported of a run. */
export type ObservedRun = {
  id: string
  instanceId: string
  startedOn: string
  ranMs: number
  hasEnded: boolean
}

type Recorded = {
  ids: string[]
  instanceIds: string[]
  startedOn: string[]
  ranMs: number[]
  hasEnded: boolean[]
}

const recorded = statement<never, Recorded>(`
  insert into run as r (id, started_on, instance_id, workspace_id, holder_id, tier, ran_ms, ended_on, has_ended)
  select o.id, o.started_on, i.id, i.workspace_id, i.holder_id, i.tier, o.ran_ms,
         o.started_on + o.ran_ms * interval '1 ms', o.has_ended
    from unnest(:ids::uuid[], :instanceIds::uuid[], :startedOn::timestamptz[], :ranMs::bigint[], :hasEnded::boolean[])
           as o (id, instance_id, started_on, ran_ms, has_ended)
    join instance i on i.id = o.instance_id
  on conflict on constraint run_pkey do update
     set ran_ms = excluded.ran_ms, ended_on = excluded.ended_on, has_ended = excluded.has_ended
   where excluded.ran_ms > r.ran_ms or excluded.ran_ms = r.ran_ms and excluded.has_ended and not r.has_ended`)

/** Adds what is new to the ledger: a run never gets shorter. Uses instance_pkey and run_pkey. */
export async function recordRuns(db: Db, runs: ObservedRun[]): Promise<void> {
  await recorded(db, {
    ids: runs.map(({ id }) => id),
    instanceIds: runs.map(({ instanceId }) => instanceId),
    startedOn: runs.map(({ startedOn }) => startedOn),
    ranMs: runs.map(({ ranMs }) => ranMs),
    hasEnded: runs.map(({ hasEnded }) => hasEnded),
  })
}

/** Whose runs are counted. */
export type UsageOf =
  | { column: 'instance_id'; id: string }
  | { column: 'workspace_id'; id: string }
  | { column: 'holder_id'; id: string }

/** SQL for the milliseconds of a run `r` in the period `:from` to `:to`. */
const msInPeriod = `
  (extract(epoch from least(r.ended_on, :to::timestamptz) - greatest(r.started_on, :from::timestamptz)) * 1000)`

const inPeriod = (column: UsageOf['column']) =>
  `r.${column} = :id and r.ended_on > :from::timestamptz and r.started_on < :to::timestamptz`

type Values = { id: string; from: string; to: string }

/** Milliseconds of use. */
export type TierUsage = { tier: string; used_ms: bigint }

const tiersBy = (column: UsageOf['column']) =>
  statement<TierUsage, Values>(`
    select r.tier, sum(${msInPeriod})::bigint as used_ms from run r
     where ${inPeriod(column)} group by r.tier order by r.tier`)

const tiers = {
  instance_id: tiersBy('instance_id'),
  workspace_id: tiersBy('workspace_id'),
  holder_id: tiersBy('holder_id'),
}

/** By tier. Uses run_instance_idx, run_workspace_idx or run_holder_idx. */
export const sumByTier = (db: Db, { column, id }: UsageOf, { from, to }: Period) =>
  tiers[column](db, { id, from, to })

/** What a holder used in a period, in milliseconds. */
export async function sumUsed(db: Db, holderId: string, period: Period): Promise<number> {
  const rows = await sumByTier(db, { column: 'holder_id', id: holderId }, period)
  return rows.reduce((sum, { used_ms }) => sum + Number(used_ms), 0)
}

export type MonthUsage = { period: string; used_ms: bigint }

/** Also the runs of the instances of a user. */
export type MonthsOf = UsageOf | { column: 'owner'; id: string }

const ofOwner = `
  r.instance_id = any(array(select i.id from instance i where i.owner = :id))
  and r.ended_on > :from::timestamptz and r.started_on < :to::timestamptz`

const monthsBy = (condition: string) =>
  statement<MonthUsage, Values>(`
    select to_char(local.start, 'YYYY-MM') as period,
           sum(extract(epoch from least(r.ended_on, m.next) - greatest(r.started_on, m.start)) * 1000)::bigint as used_ms
      from run r
      cross join lateral (
        select month as start, month + interval '1 month' as next
          from generate_series(date_trunc('month', greatest(r.started_on, :from::timestamptz) at time zone 'utc'),
                               least(r.ended_on, :to::timestamptz) at time zone 'utc', interval '1 month') as month
      ) as local
      cross join lateral (
        select local.start at time zone 'utc' as start, local.next at time zone 'utc' as next
      ) as m
     where ${condition}
     group by local.start`)

const months = {
  instance_id: monthsBy(inPeriod('instance_id')),
  workspace_id: monthsBy(inPeriod('workspace_id')),
  holder_id: monthsBy(inPeriod('holder_id')),
  owner: monthsBy(ofOwner),
}

/**
 * By month (UTC), without months that have none. Uses run_instance_idx, run_workspace_idx or run_holder_idx; of an owner
 * instance_of_owner_idx and run_instance_idx.
 */
export const sumByMonth = (db: Db, { column, id }: MonthsOf, { from, to }: Omit<Period, 'name'>) =>
  months[column](db, { id, from, to })

export type InstanceUsage = {
  instance_id: string
  name: string
  owner: string
  workspace_id: string
  tier: string
  used_ms: bigint
}

type PageValues = Values & { afterId: string; afterTier: string; limit: number }

const instancesBy = (column: UsageOf['column']) =>
  statement<InstanceUsage, PageValues>(`
    select u.instance_id, i.name, i.owner, u.workspace_id, u.tier, u.used_ms
      from (
        select r.instance_id, r.workspace_id, r.tier, sum(${msInPeriod})::bigint as used_ms from run r
         where ${inPeriod(column)} and (r.instance_id, r.tier) > (:afterId::uuid, :afterTier::text)
         group by r.instance_id, r.workspace_id, r.tier order by r.instance_id, r.tier limit :limit
      ) u join instance i on i.id = u.instance_id
     order by u.instance_id, u.tier`)

const instances = {
  instance_id: instancesBy('instance_id'),
  workspace_id: instancesBy('workspace_id'),
  holder_id: instancesBy('holder_id'),
}

/** By instance and tier. Uses run_instance_idx, run_workspace_idx or run_holder_idx, and instance_pkey. */
export const sumByInstance = (
  db: Db,
  { column, id }: UsageOf,
  { from, to }: Period,
  page: { afterId: string; afterTier: string; limit: number },
): Promise<InstanceUsage[]> => instances[column](db, { id, from, to, ...page })

type HolderValues = { ids: string[]; from: string; to: string }

const byHolder = statement<{ holder_id: string; used_ms: bigint }, HolderValues>(`
  select r.holder_id, sum(${msInPeriod})::bigint as used_ms from run r
   where r.holder_id = any(:ids::uuid[])
     and r.ended_on > :from::timestamptz and r.started_on < :to::timestamptz
   group by r.holder_id`)

/** What holders used in a period, without those that used nothing. Uses run_holder_idx. */
export const sumByHolder = (db: Db, ids: string[], { from, to }: Period) =>
  byHolder(db, { ids, from, to })
