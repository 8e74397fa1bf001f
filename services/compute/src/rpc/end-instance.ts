import type { HandlerContext } from '@connectrpc/connect'
import { requireOperable } from '../access.js'
import { changeAsCaller } from '../change.js'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { next } from '../domain/lifecycle.js'
import { instanceTerminated } from '../errors.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export function stopInstance(ctx: Ctx): Impl['stopInstance'] {
  return async ({ id }, call) => ({ instance: await end(ctx, id, 'stop', call) })
}

export function terminateInstance(ctx: Ctx): Impl['terminateInstance'] {
  return async ({ id }, call) => ({ instance: await end(ctx, id, 'terminate', call) })
}

const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Nothing happens to an instance that is ending so already. */
async function end(ctx: Ctx, id: string, how: 'stop' | 'terminate', call: HandlerContext) {
  const { instance, member } = await requireOperable(ctx, id, call)
  const row = await changeAsCaller(ctx, instance.id, how, call, (before) => {
    if (how === 'stop' && before.desired === 'terminated') throw instanceTerminated()
    const state = next(before, how)
    const kept = how === 'terminate' && { removes_on: inFuture(ctx.cfg.volumeRetentionMs) }
    return state && { ...state, ...kept, detail: '' }
  })
  return toInstance(row, member, staleMs(ctx.cfg))
}
