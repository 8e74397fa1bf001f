import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'
import { alive, summedSize, sums } from './node-sql.js'
import { type PlanRow, planColumns } from './plans.js'

/** The plan that applies to a node, and the holder of its subscription. */
export type SubscriptionRow = PlanRow & {
  /** The workspace itself or its organization. */
  holder_id: string
  organization_id: string | null
  compute_overages_enabled: boolean
  changed_on: string | null
}

/** SQL that joins the plan of a holder: the chosen plan, else the default. */
const planOf = (holder: string) => `
  left join subscription s on s.node_id = ${holder}
  join plan p on p.id = coalesce(s.plan_id, (select d.id from plan d where d.is_default))`

const bySubscriber = statement<SubscriptionRow>(`
  select ${planColumns}, coalesce(n.organization_id, n.id) as holder_id, n.organization_id,
         coalesce(s.compute_overages_enabled, false) as compute_overages_enabled, s.changed_on
    from node n ${planOf('coalesce(n.organization_id, n.id)')}
   where n.id = $1`)

/** The subscription that applies to a workspace or an organization. */
export async function findSubscription(
  db: Db,
  nodeId: string,
): Promise<SubscriptionRow | undefined> {
  return (await bySubscriber(db, nodeId))[0]
}

const bySubscribers = statement<SubscriptionRow & { node_id: string }>(`
  select ${planColumns}, n.id as node_id, coalesce(n.organization_id, n.id) as holder_id, n.organization_id,
         coalesce(s.compute_overages_enabled, false) as compute_overages_enabled, s.changed_on
    from node n ${planOf('coalesce(n.organization_id, n.id)')}
   where n.id = any($1::uuid[])`)

/** The subscriptions that apply to workspaces or organizations; unknown ones are omitted. */
export const listSubscriptions = (
  db: Db,
  nodeIds: string[],
): Promise<(SubscriptionRow & { node_id: string })[]> => bySubscribers(db, nodeIds)

export async function getSubscriptionRow(db: Db, nodeId: string): Promise<SubscriptionRow> {
  const row = await findSubscription(db, nodeId)
  if (!row)
    throw new Error(`no plan for node ${nodeId}: the node or the default plan does not exist`)
  return row
}

const changed = statement<never, SubscriptionChange & { holderId: string; by: string }>(`
  insert into subscription as s (node_id, plan_id, compute_overages_enabled, changed_by)
  values (:holderId, :planId::uuid, coalesce(:overages::boolean, false), :by)
  on conflict (node_id) do update
     set plan_id = coalesce(excluded.plan_id, s.plan_id),
         compute_overages_enabled = coalesce(:overages::boolean, s.compute_overages_enabled),
         changed_by = excluded.changed_by, changed_on = now()`)

export type SubscriptionChange = { planId: string | null; overages: boolean | null }

/** Null values are not changed. */
export async function changeSubscription(
  tx: Tx,
  holderId: string,
  { planId, overages }: SubscriptionChange,
  by: string,
): Promise<void> {
  await changed(tx, { holderId, planId, overages, by })
}

const holderLock = statement<never>('select pg_advisory_xact_lock(hashtext($1), hashtext($2))')

/** Serializes the transactions that check the limits of a holder. */
export async function lockHolder(tx: Tx, holderId: string): Promise<void> {
  await holderLock(tx, 'plan of', holderId)
}

const usedStorage = statement<{ used: bigint }>(`
  select coalesce(sum(m.size_bytes + m.held_bytes), 0)::bigint as used
    from (
      select ${summedSize} as size_bytes,
             (select coalesce(sum(h.held_bytes), 0) from node h
               where h.workspace_id = n.id and h.held_bytes is not null) +
             (select coalesce(sum(u.held_bytes), 0) from update_hold u
               where u.workspace_id = n.id and u.held_bytes is not null) as held_bytes
        from node n ${sums}
       where (n.id = $1 and n.type = 'workspace' or n.organization_id = $1) and ${alive}
    ) m`)

/** The bytes stored in the workspaces of a holder, plus the reserved bytes. */
export async function sumStorage(db: Db, holderId: string): Promise<bigint> {
  return (await usedStorage(db, holderId))[0]?.used ?? 0n
}

const usedUsers = statement<{ users: number; is_counted: boolean }>(`
  select count(distinct g.subject)::int as users,
         coalesce(bool_or(g.subject = $2), false) as is_counted
    from access_grant g
   where g.kind = 'member'
     and g.node_id = any(array(
       select n.id from node n where (n.id = $1 or n.organization_id = $1) and ${alive}))`)

/** The number of distinct members of a holder and its workspaces, and whether `subject` is one of them. */
export async function countUsers(db: Db, holderId: string, subject: string) {
  const [row] = await usedUsers(db, holderId, subject)
  return row ?? { users: 0, is_counted: false }
}

const limited = statement<{ is_limited: boolean }>(`
  select exists (select from plan p where p.max_storage_bytes is not null and $1) as is_limited`)

/** Whether any plan limits storage. */
export async function isStorageLimited(db: Db): Promise<boolean> {
  return (await limited(db, true))[0]?.is_limited ?? false
}
