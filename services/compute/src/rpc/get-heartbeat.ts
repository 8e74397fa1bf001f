import { toTimestamp } from '@figbase/kit/db'
import { requireInstance } from '../access.js'
import type { Ctx } from '../context.js'
import { findHeartbeat } from '../queries/heartbeats.js'
import type { Impl } from '../routes.js'

export function getHeartbeat(ctx: Ctx): Impl['getHeartbeat'] {
  return async ({ id }, call) => {
    const { instance } = await requireInstance(ctx, id, call)
    const found = await findHeartbeat(ctx.db, instance.id)
    if (!found) return {}
    const { heartbeat, heartbeat_on } = found
    const { jupyterUp, activeKernelCount, busyKernelCount, cpuPct, memPct, diskPct } = heartbeat
    return {
      heartbeat: {
        at: toTimestamp(heartbeat_on),
        jupyterUp,
        activeKernelCount,
        busyKernelCount,
        cpuPct,
        memPct,
        diskPct,
      },
    }
  }
}
