import { forward } from '@figbase/kit/rpc'
import { requireOperable } from '../access.js'
import { changeAsCaller } from '../change.js'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { planIdleOf } from '../domain/idle.js'
import { next } from '../domain/lifecycle.js'
import { instanceStopping, instanceTerminated, tierUnavailable } from '../errors.js'
import { requireAvailable } from '../launching.js'
import { readPlan, requireRoom } from '../plan.js'
import { lockHolder } from '../queries/instances.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export function startInstance(ctx: Ctx): Impl['startInstance'] {
  return async (req, call) => {
    const { instance, member } = await requireOperable(ctx, req.id, call)
    await requireAvailable(ctx)
    const plan = await readPlan(ctx, instance.workspace_id, forward(call))
    const row = await changeAsCaller(ctx, instance.id, 'start', call, async (before, tx) => {
      if (before.desired === 'running') return undefined
      if (before.desired === 'terminated') throw instanceTerminated()
      const state = next(before, 'start')
      if (!state) throw instanceStopping()
      if (!ctx.cfg.tiers.some(({ id }) => id === before.tier)) throw tierUnavailable(before.tier)
      // After the lock of the instance: a launch locks none, so nobody waits for each other.
      await lockHolder(tx, plan.holderId)
      await requireRoom(tx, plan)
      const run = { run_id: ctx.newOrderedId(), attempts: 0, detail: '', ends_on: null }
      return { ...state, ...run, ...planIdleOf(plan), holder_id: plan.holderId }
    })
    return { instance: toInstance(row, member, staleMs(ctx.cfg)) }
  }
}
