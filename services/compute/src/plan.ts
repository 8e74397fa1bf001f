import type { CallOptions } from '@connectrpc/connect'
import { parsePeriod } from '@figbase/kit/text'
import type { WorkspacePlan } from '@figbase/proto/catalog/plans'
import type { Ctx } from './context.js'
import type { Db } from './db/schema.js'
import { allowanceExhausted, planLimit } from './errors.js'
import { countRunning } from './queries/instances.js'
import { sumUsed } from './queries/runs.js'

/** What the plan of a workspace, or of its organization, allows. A null limit means unlimited. */
export type ComputePlan = {
  /** Whose plan it is. */
  holderId: string
  isEnabled: boolean
  runningMax: number | null
  monthlySeconds: bigint | null
  overagesEnabled: boolean
  idleShutdownRequired: boolean
  idleSecondsMax: number | null
  idleSecondsDefault: number | null
  dataVolumeGbMax: number | null
}

export async function readPlan(
  { plans }: Pick<Ctx, 'plans'>,
  workspaceId: string,
  as: CallOptions,
): Promise<ComputePlan> {
  return planOf(await plans.getPlanTerms({ workspaceId }, as))
}

/** The plans of at most 1000 workspaces, by workspace; without those that do not exist. */
export async function readPlans(
  { plans }: Pick<Ctx, 'plans'>,
  workspaceIds: string[],
  as: CallOptions,
): Promise<Map<string, ComputePlan>> {
  if (workspaceIds.length === 0) return new Map()
  const response = await plans.listPlanTerms({ workspaceIds }, as)
  return new Map(response.plans.map((plan) => [plan.workspaceId, planOf(plan)]))
}

const planOf = ({
  holderId,
  terms,
  computeOveragesEnabled,
}: Pick<WorkspacePlan, 'holderId' | 'terms' | 'computeOveragesEnabled'>): ComputePlan => ({
  holderId,
  isEnabled: terms?.computeEnabled ?? false,
  runningMax: terms?.computeMaxRunningInstances ?? null,
  monthlySeconds: terms?.monthlyComputeSeconds ?? null,
  overagesEnabled: computeOveragesEnabled,
  idleShutdownRequired: terms?.idleShutdownRequired ?? false,
  idleSecondsMax: terms?.maxIdleSeconds ?? null,
  idleSecondsDefault: terms?.defaultIdleSeconds ?? null,
  dataVolumeGbMax: terms?.maxDataVolumeGb ?? null,
})

export type Allowance = { usedSeconds: number; isExhausted: boolean }

/** The use of the plan in this month. */
export async function readAllowance(db: Db, plan: ComputePlan): Promise<Allowance> {
  const usedMs = await sumUsed(db, plan.holderId, parsePeriod(''))
  const { monthlySeconds: limit, overagesEnabled } = plan
  const isOver = limit !== null && usedMs >= Number(limit) * 1000
  return { usedSeconds: Math.floor(usedMs / 1000), isExhausted: isOver && !overagesEnabled }
}

/** Throws if the plan allows no further running instance. In a transaction, the holder must be locked. */
export async function requireRoom(db: Db, plan: ComputePlan): Promise<void> {
  if (!plan.isEnabled) throw planLimit('compute_enabled', 'the plan has no compute instances')
  const { runningMax, monthlySeconds } = plan
  if (runningMax !== null && (await countRunning(db, plan.holderId)) >= runningMax) {
    const text = `the plan allows ${runningMax} running instances: stop one first`
    throw planLimit('compute_max_running_instances', text)
  }
  if (monthlySeconds !== null && (await readAllowance(db, plan)).isExhausted) {
    throw allowanceExhausted(monthlySeconds)
  }
}
