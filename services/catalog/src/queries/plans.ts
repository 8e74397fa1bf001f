import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

/** A null limit means unlimited. */
export type PlanTerms = {
  name: string
  description: string
  monthly_cost: number
  annual_cost: number
  max_storage_bytes: bigint | null
  max_users: number | null
  allow_flexible_storage: boolean
  monthly_token_quota: bigint | null
  deep_insight_rate: number | null
  compute_enabled: boolean
  compute_max_running_instances: number | null
  idle_shutdown_required: boolean
  max_idle_seconds: number | null
  default_idle_seconds: number | null
  max_data_volume_gb: number | null
  monthly_compute_seconds: bigint | null
  is_self_service: boolean
}

export type PlanRow = PlanTerms & { id: string; is_default: boolean }

const types: Record<keyof PlanTerms, string> = {
  name: 'text',
  description: 'text',
  monthly_cost: 'numeric',
  annual_cost: 'numeric',
  max_storage_bytes: 'bigint',
  max_users: 'int',
  allow_flexible_storage: 'boolean',
  monthly_token_quota: 'bigint',
  deep_insight_rate: 'int',
  compute_enabled: 'boolean',
  compute_max_running_instances: 'int',
  idle_shutdown_required: 'boolean',
  max_idle_seconds: 'int',
  default_idle_seconds: 'int',
  max_data_volume_gb: 'int',
  monthly_compute_seconds: 'bigint',
  is_self_service: 'boolean',
}
const terms = Object.keys(types) as (keyof PlanTerms)[]
/** SQL for the values, in the order of `terms`. */
const given = terms.map((term) => `:${term}::${types[term]}`)

/** SQL for the columns of a plan `p`. */
export const planColumns: string = [
  'p.id, p.is_default',
  ...terms.map((term) =>
    types[term] === 'numeric' ? `p.${term}::float8 as ${term}` : `p.${term}`,
  ),
].join(', ')

const all = statement<PlanRow>(`select ${planColumns} from plan p order by p.seq limit $1`)

export const listPlans = (db: Db, limit: number): Promise<PlanRow[]> => all(db, limit)

const byId = statement<PlanRow>(`select ${planColumns} from plan p where p.id = $1`)

export async function findPlan(db: Db, id: string): Promise<PlanRow | undefined> {
  return (await byId(db, id))[0]
}

const inserted = statement<PlanRow, PlanRow>(`
  insert into plan as p (id, is_default, ${terms.join(', ')})
  select :id::uuid, :is_default::boolean, ${given.join(', ')}
  returning ${planColumns}`)

export async function insertPlan(
  tx: Tx,
  id: string,
  isDefault: boolean,
  plan: PlanTerms,
): Promise<PlanRow | undefined> {
  return (await inserted(tx, { ...plan, id, is_default: isDefault }))[0]
}

const updated = statement<PlanRow, PlanRow>(`
  update plan p set is_default = p.is_default or :is_default::boolean,
         ${terms.map((term, at) => `${term} = ${given[at]}`).join(', ')}
   where p.id = :id
  returning ${planColumns}`)

export async function updatePlan(
  tx: Tx,
  id: string,
  isDefault: boolean,
  plan: PlanTerms,
): Promise<PlanRow | undefined> {
  return (await updated(tx, { ...plan, id, is_default: isDefault }))[0]
}

const lock = statement<never>("select pg_advisory_xact_lock(hashtext('plans'), $1)")

/** Serializes changes of the plans. */
export async function lockPlans(tx: Tx): Promise<void> {
  await lock(tx, 0)
}

const undone = statement<never>('update plan set is_default = false where is_default and id <> $1')

/** Call it before another plan becomes the default. */
export async function unsetDefault(tx: Tx, id: string): Promise<void> {
  await undone(tx, id)
}

const removed = statement<{ id: string }>(`
  delete from plan p where p.id = $1 and not p.is_default
    and not exists (select from subscription s where s.plan_id = p.id)
    and not exists (select from promotion c where c.plan_id = p.id)
  returning p.id`)

/** False when the plan is in use, is the default or does not exist. */
export async function deletePlan(tx: Tx, id: string): Promise<boolean> {
  return (await removed(tx, id)).length > 0
}
