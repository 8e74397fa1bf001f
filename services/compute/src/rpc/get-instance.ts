import { requireInstance } from '../access.js'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export function getInstance(ctx: Ctx): Impl['getInstance'] {
  return async ({ id }, call) => {
    const { instance, member } = await requireInstance(ctx, id, call)
    return { instance: toInstance(instance, member, staleMs(ctx.cfg)) }
  }
}
