import type { Ctx } from '../context.js'
import { idleStepOf, idleStopText, idleWarningText } from '../domain/idle-shutdown.js'
import { next } from '../domain/lifecycle.js'
import { changeInstance } from '../queries/change.js'
import type { MeasuredRow } from '../queries/heartbeats.js'

const notWarned = { idle_warned_on: null, idle_stops_on: null }

/**
 * Warns the owner of an instance that is idle, stops it later, or withdraws the warning. Does nothing if the row has
 * changed since it was measured: the next measurement decides anew.
 */
export async function stopIdle({ db, cfg }: Ctx, row: MeasuredRow): Promise<void> {
  const { idle_ms, measured_at_ms } = row
  const state = next(row, 'stop')
  if (!state || idle_ms === null) return
  const found = idleStepOf({ ...row, idle_ms }, cfg.idleWarningMs)
  switch (found?.step) {
    case 'warn': {
      const idle_warned_on = new Date(measured_at_ms).toISOString()
      const idle_stops_on = new Date(measured_at_ms + found.stopsInMs).toISOString()
      const event = { kind: 'idle_warning', text: idleWarningText(idle_stops_on), actor: '' }
      await changeInstance(db, row, { idle_warned_on, idle_stops_on }, event)
      return
    }
    case 'withdraw': {
      const event = { kind: 'idle_ended', text: '', actor: '' }
      await changeInstance(db, row, notWarned, event)
      return
    }
    case 'stop': {
      const text = idleStopText(idle_ms)
      const event = { kind: 'idle_stop', text, actor: '' }
      await changeInstance(db, row, { ...state, ...notWarned, detail: text }, event)
    }
  }
}
