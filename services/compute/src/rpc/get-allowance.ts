import { forward } from '@figbase/kit/rpc'
import { parsePeriod } from '@figbase/kit/text'
import { requireMember } from '../access.js'
import type { Ctx } from '../context.js'
import { readAllowance, readPlan } from '../plan.js'
import type { Impl } from '../routes.js'

export function getAllowance(ctx: Ctx): Impl['getAllowance'] {
  return async (req, call) => {
    const { workspaceId } = await requireMember(ctx, req.workspaceId, call)
    const plan = await readPlan(ctx, workspaceId, forward(call))
    const { usedSeconds, isExhausted } = await readAllowance(ctx.db, plan)
    const { monthlySeconds, overagesEnabled } = plan
    const used = BigInt(usedSeconds)
    return {
      period: parsePeriod('').name,
      usedSeconds: used,
      overagesEnabled,
      isExhausted,
      ...(monthlySeconds !== null && {
        monthlySeconds,
        remainingSeconds: used < monthlySeconds ? monthlySeconds - used : 0n,
      }),
    }
  }
}
