import { invalid } from '@figbase/kit/errors'

/** What the plan says of idle instances; null: nothing. */
type IdlePlan = {
  idleShutdownRequired: boolean
  idleSecondsMax: number | null
  idleSecondsDefault: number | null
}
export type Idle = { idle_shutdown_enabled: boolean; idle_shutdown_seconds: number }
/** The limits of the plan, as they are kept with an instance. */
export type PlanIdle = {
  plan_requires_idle_shutdown: boolean
  plan_idle_seconds_max: number | null
}

const fallbackSeconds = 3600
const secondsBound = 2 ** 31 - 1

export const planIdleOf = (plan: Omit<IdlePlan, 'idleSecondsDefault'>): PlanIdle => ({
  plan_requires_idle_shutdown: plan.idleShutdownRequired,
  plan_idle_seconds_max: plan.idleSecondsMax,
})

/** The idle shutdown of a new instance. */
export function defaultIdle({ idleSecondsMax, idleSecondsDefault }: IdlePlan): Idle {
  const seconds = Math.min(idleSecondsDefault ?? fallbackSeconds, idleSecondsMax ?? secondsBound)
  return { idle_shutdown_enabled: true, idle_shutdown_seconds: Math.max(1, seconds) }
}

/** The idle shutdown that applies: the plan wins over the settings of the instance. */
export function effectiveIdle(instance: Idle & PlanIdle): Idle {
  const { idle_shutdown_seconds: own, plan_idle_seconds_max: max } = instance
  return {
    idle_shutdown_enabled: instance.idle_shutdown_enabled || instance.plan_requires_idle_shutdown,
    idle_shutdown_seconds: Math.max(1, Math.min(own, max ?? own)),
  }
}

/** The changed idle shutdown; throws 400 if the plan does not allow it. */
export function changedIdle(before: Idle, changes: Partial<Idle>, plan: IdlePlan): Idle {
  // The plan may have changed since, and what is not changed need not be right.
  const after = { ...effectiveIdle({ ...before, ...planIdleOf(plan) }), ...changes }
  if (!after.idle_shutdown_enabled && plan.idleShutdownRequired) {
    throw invalid('idle_shutdown_enabled', 'must be true: the plan requires it')
  }
  const seconds = after.idle_shutdown_seconds
  if (seconds < 1) throw invalid('idle_shutdown_seconds', 'must be at least 1')
  if (changes.idle_shutdown_seconds === undefined || plan.idleSecondsMax === null) return after
  if (seconds > plan.idleSecondsMax) {
    const text = `must be at most ${plan.idleSecondsMax}, the maximum of the plan`
    throw invalid('idle_shutdown_seconds', text)
  }
  return after
}
