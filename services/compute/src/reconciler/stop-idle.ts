import { changeAsFigbase } from '../change.js'
import type { Ctx } from '../context.js'
import { idleStepOf, idleStopText, idleWarningText } from '../domain/idle-shutdown.js'
import { next } from '../domain/lifecycle.js'
import type { MeasuredRow } from '../queries/heartbeats.js'

const notWarned = { idle_warned_on: null, idle_stops_on: null }

/**
 * Warns the owner of an instance that is idle, stops it later, or withdraws the warning. Does nothing if the row has
 * changed since it was measured: the next measurement decides anew.
 */
export async function stopIdle(ctx: Ctx, row: MeasuredRow): Promise<void> {
  const { idle_ms, kernels_age_ms, measured_at_ms } = row
  const state = next(row, 'stop')
  if (!state || idle_ms === null) return
  const instance = { ...row, idle_ms, known_idle_ms: idle_ms - kernels_age_ms }
  const found = idleStepOf(instance, ctx.cfg.idleWarningMs)
  switch (found?.step) {
    case 'warn': {
      const idle_warned_on = new Date(measured_at_ms).toISOString()
      const idle_stops_on = new Date(measured_at_ms + found.stopsInMs).toISOString()
      const text = idleWarningText(idle_stops_on)
      await changeAsFigbase(ctx, row, { idle_warned_on, idle_stops_on }, 'idle_warning', text)
      return
    }
    case 'withdraw':
      await changeAsFigbase(ctx, row, notWarned, 'idle_ended', '')
      return
    case 'stop': {
      const detail = idleStopText(idle_ms)
      await changeAsFigbase(ctx, row, { ...state, ...notWarned, detail }, 'idle_stop', detail)
    }
  }
}
