import { invalid } from '@figbase/kit/errors'

/** What the plan says of idle instances; null: nothing. */
type IdlePlan = {
  idleShutdownRequired: boolean
  idleSecondsMax: number | null
  idleSecondsDefault: number | null
}
export type Idle = { idle_shutdown_enabled: boolean; idle_shutdown_seconds: number }

const fallbackSeconds = 3600
const secondsBound = 2 ** 31 - 1

/** The idle shutdown of a new instance. */
export function defaultIdle({ idleSecondsMax, idleSecondsDefault }: IdlePlan): Idle {
  const seconds = Math.min(idleSecondsDefault ?? fallbackSeconds, idleSecondsMax ?? secondsBound)
  return { idle_shutdown_enabled: true, idle_shutdown_seconds: Math.max(1, seconds) }
}

/** The changed idle shutdown; throws 400 if the plan does not allow it. */
export function changedIdle(before: Idle, changes: Partial<Idle>, plan: IdlePlan): Idle {
  const { idle_shutdown_enabled, idle_shutdown_seconds } = before
  const after = { idle_shutdown_enabled, idle_shutdown_seconds, ...changes }
  if (!after.idle_shutdown_enabled && plan.idleShutdownRequired) {
    throw invalid('idle_shutdown_enabled', 'must be true: the plan requires it')
  }
  const seconds = after.idle_shutdown_seconds
  if (seconds < 1) throw invalid('idle_shutdown_seconds', 'must be at least 1')
  if (plan.idleSecondsMax !== null && seconds > plan.idleSecondsMax) {
    const text = `must be at most ${plan.idleSecondsMax}, the maximum of the plan`
    throw invalid('idle_shutdown_seconds', text)
  }
  return after
}
