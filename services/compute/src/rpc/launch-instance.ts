import { denied, invalid, validateAll } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import { type Member, requireMember } from '../access.js'
import { wakeReconciler } from '../change.js'
import { type Config, staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { defaultIdle, planIdleOf } from '../domain/idle.js'
import { launched } from '../domain/lifecycle.js'
import { tooManyInstances } from '../errors.js'
import { checkedTier, requireAvailable } from '../launching.js'
import { type ComputePlan, readPlan, requireRoom } from '../plan.js'
import {
  countInstances,
  insertInstance,
  lockHolder,
  type NewInstance,
} from '../queries/instances.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export const nameChars = { charsMin: 1, charsMax: 200 }

export function launchInstance(ctx: Ctx): Impl['launchInstance'] {
  return async (req, call) => {
    const { cfg } = ctx
    const member = await requireMember(ctx, req.workspaceId, call)
    if (!member.canCreate) throw denied('CREATE')
    const plan = await readPlan(ctx, member.workspaceId, forward(call))
    const given = validateAll({
      name: () => checkedText('name', req.name.trim(), nameChars),
      tier: () => (req.tier ? checkedTier(cfg.tiers, req.tier) : cfg.tiers[0])?.id ?? '',
      data_volume_gb: () => checkedVolume(req.dataVolumeGb, plan, cfg),
    })
    await requireAvailable(ctx)
    const row = await insert(ctx, member, plan, {
      id: ctx.newId(),
      workspace_id: member.workspaceId,
      holder_id: plan.holderId,
      owner: member.username,
      run_id: ctx.newOrderedId(),
      ...given,
      ...launched,
      ...defaultIdle(plan),
      ...planIdleOf(plan),
    })
    return { instance: toInstance(row, member, staleMs(cfg)) }
  }
}

const insert = (ctx: Ctx, { username: actor }: Member, plan: ComputePlan, instance: NewInstance) =>
  ctx.transact(async (tx) => {
    await lockHolder(tx, plan.holderId)
    await requireRoom(tx, plan)
    const { instancesMax } = ctx.cfg
    const existing = await countInstances(tx, instance.workspace_id)
    if (existing.count >= instancesMax) throw tooManyInstances(instancesMax, existing.terminated)
    const row = await insertInstance(tx, instance, actor)
    ctx.wakeRelay(tx)
    await wakeReconciler(ctx, tx)
    return row
  })

function checkedVolume(given: number | undefined, plan: ComputePlan, cfg: Config): number {
  const max = Math.min(plan.dataVolumeGbMax ?? cfg.dataVolumeGbMax, cfg.dataVolumeGbMax)
  const gb = given ?? Math.min(cfg.dataVolumeGb, max)
  if (given !== undefined && given < 1) throw invalid('data_volume_gb', 'must be at least 1')
  if (gb > max) throw invalid('data_volume_gb', `must be at most ${max}`)
  return gb
}
