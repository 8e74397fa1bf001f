import { invalid } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import { requireOperable } from '../access.js'
import { changeAsCaller } from '../change.js'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { changedIdle, planIdleOf } from '../domain/idle.js'
import { instanceTerminated } from '../errors.js'
import { readPlan } from '../plan.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'
import { nameChars } from './launch-instance.js'

export function updateInstance(ctx: Ctx): Impl['updateInstance'] {
  return async (req, call) => {
    const { instance, member } = await requireOperable(ctx, req.id, call)
    const { idleShutdownEnabled: enabled, idleShutdownSeconds: seconds } = req
    if (req.name === undefined && enabled === undefined && seconds === undefined) {
      throw invalid('', 'change at least one of name, idle_shutdown_enabled, idle_shutdown_seconds')
    }
    const name =
      req.name === undefined ? undefined : checkedText('name', req.name.trim(), nameChars)
    const idle = {
      ...(enabled !== undefined && { idle_shutdown_enabled: enabled }),
      ...(seconds !== undefined && { idle_shutdown_seconds: seconds }),
    }
    const isIdleChanged = enabled !== undefined || seconds !== undefined
    const plan = isIdleChanged && (await readPlan(ctx, instance.workspace_id, forward(call)))
    const row = await changeAsCaller(ctx, instance.id, 'update', call, (before) => {
      if (before.desired === 'terminated') throw instanceTerminated()
      // What was announced is no longer true.
      const notWarned = { idle_warned_on: null, idle_stops_on: null }
      return {
        ...(name && { name }),
        ...(plan && { ...changedIdle(before, idle, plan), ...planIdleOf(plan), ...notWarned }),
      }
    })
    return { instance: toInstance(row, member, staleMs(ctx.cfg)) }
  }
}
