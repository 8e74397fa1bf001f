import { ConnectError } from '@connectrpc/connect'
import { denied, detailOf } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import { type Member, requireMember } from '../access.js'
import type { Ctx } from '../context.js'
import { requireAvailable } from '../launching.js'
import { type ComputePlan, readPlan, requireRoom } from '../plan.js'
import { countRunning } from '../queries/instances.js'
import type { Impl } from '../routes.js'

export function getLaunchOptions(ctx: Ctx): Impl['getLaunchOptions'] {
  return async ({ workspaceId }, call) => {
    const member = await requireMember(ctx, workspaceId, call)
    const plan = await readPlan(ctx, member.workspaceId, forward(call))
    const problem = await problemOf(ctx, member, plan)
    const { cfg } = ctx
    return {
      canLaunch: !problem,
      reason: (problem && detailOf(problem)?.error) ?? '',
      reasonDetail: problem?.rawMessage ?? '',
      tiers: cfg.tiers,
      defaultTier: cfg.tiers[0]?.id ?? '',
      defaultDataVolumeGb: Math.min(cfg.dataVolumeGb, plan.dataVolumeGbMax ?? cfg.dataVolumeGb),
      runningInstances: await countRunning(ctx.db, plan.holderId),
      idleShutdownRequired: plan.idleShutdownRequired,
      ...(plan.dataVolumeGbMax !== null && { maxDataVolumeGb: plan.dataVolumeGbMax }),
      ...(plan.runningMax !== null && { maxRunningInstances: plan.runningMax }),
      ...(plan.idleSecondsMax !== null && { maxIdleSeconds: plan.idleSecondsMax }),
      ...(plan.idleSecondsDefault !== null && { defaultIdleSeconds: plan.idleSecondsDefault }),
    }
  }
}

/** The error with which a launch would be refused now. */
async function problemOf(ctx: Ctx, { canCreate }: Member, plan: ComputePlan) {
  try {
    await requireAvailable(ctx)
    if (!canCreate) throw denied('CREATE')
    await requireRoom(ctx.db, plan)
    return undefined
  } catch (error) {
    if (error instanceof ConnectError && detailOf(error)) return error
    throw error
  }
}
