import { requireOperable } from '../access.js'
import { changeAsCaller } from '../change.js'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { next } from '../domain/lifecycle.js'
import { instanceNotStopped, instanceTerminated } from '../errors.js'
import { checkedTier } from '../launching.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export function changeTier(ctx: Ctx): Impl['changeTier'] {
  return async (req, call) => {
    const { instance, member } = await requireOperable(ctx, req.id, call)
    const { id: tier } = checkedTier(ctx.cfg.tiers, req.tier)
    const row = await changeAsCaller(ctx, instance.id, 'change_tier', call, (before) => {
      if (before.desired === 'terminated') throw instanceTerminated()
      // It has stopped if it could be started.
      if (!next(before, 'start')) throw instanceNotStopped()
      return before.tier === tier ? undefined : { tier }
    })
    return { instance: toInstance(row, member, staleMs(ctx.cfg)) }
  }
}
