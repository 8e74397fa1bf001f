import { idleWarningText } from './idle-shutdown.js'
import { type Lifecycle, lifecycleOf, type State } from './lifecycle.js'

export type Health = 'unknown' | 'healthy' | 'unhealthy'

/** An instance, as far as its status depends on it. Ages are those of the last heartbeat, null without one. */
export type Observable = State & {
  /** What the driver or the reconciler says; empty: nothing. */
  detail: string
  attempts: number
  heartbeat_age_ms: number | null
  running_for_ms: number | null
  jupyter_up: boolean | null
  /** When it is stopped, because the allowance is exhausted. */
  ends_on: string | null
  /** When the volume of a terminated instance may be deleted. */
  removes_on: string | null
  /** When it is stopped, because it is idle. */
  idle_stops_on: string | null
}

export type Status = {
  lifecycle: Lifecycle
  health: Health
  user_facing_status: string
  status_detail: string
}

const names: Record<Lifecycle, string> = {
  pending: 'Pending',
  starting: 'Starting',
  running: 'Running',
  stopping: 'Stopping',
  stopped: 'Stopped',
  failed: 'Failed',
  terminated: 'Terminated',
}

/** All that callers see of the state. Heartbeats are missing when the last one is older than `staleMs`. */
export function statusOf(instance: Observable, staleMs: number): Status {
  const lifecycle = lifecycleOf(instance)
  const health = healthOf(lifecycle, instance, staleMs)
  return {
    lifecycle,
    health,
    user_facing_status: nameOf(lifecycle, health, instance),
    status_detail: detailOf(lifecycle, health, instance),
  }
}

function healthOf(lifecycle: Lifecycle, instance: Observable, staleMs: number): Health {
  if (lifecycle !== 'running') return 'unknown'
  const { heartbeat_age_ms: age, running_for_ms: runningFor, jupyter_up: isUp } = instance
  if (age === null || age > (runningFor ?? 0)) {
    // Not measured in this run.
    return (runningFor ?? 0) > staleMs ? 'unhealthy' : 'unknown'
  }
  return age > staleMs || isUp === false ? 'unhealthy' : 'healthy'
}

function nameOf(lifecycle: Lifecycle, health: Health, { desired, attempts }: Observable) {
  if (lifecycle === 'stopping' && desired === 'terminated') return 'Terminating'
  if (lifecycle === 'pending' && attempts > 0) return 'Retrying'
  return health === 'unhealthy' ? 'Not responding' : names[lifecycle]
}

function detailOf(lifecycle: Lifecycle, health: Health, instance: Observable) {
  const { detail, desired, ends_on, idle_stops_on } = instance
  if (lifecycle === 'terminated') return terminatedText(instance)
  if (lifecycle !== 'starting' && lifecycle !== 'running' && detail) return detail
  if (desired === 'running' && ends_on) return exhaustedText(ends_on)
  if (lifecycle === 'running' && idle_stops_on) return idleWarningText(idle_stops_on)
  return health === 'unhealthy' ? 'The notebook server does not respond.' : ''
}

function terminatedText({ detail, observed, removes_on }: Observable) {
  const isKept = observed !== 'gone' && removes_on
  const kept = isKept ? `Its files are deleted at ${toMinute(removes_on)} UTC.` : ''
  return [detail, kept].filter((text) => text).join(' ')
}

const toMinute = (time: string) => time.slice(0, 16).replace('T', ' ')

/** `endsOn`: a time in UTC, to the minute or more exactly. */
export const exhaustedText = (endsOn: string): string =>
  `The plan has no time left in this month: the instance is stopped at ${toMinute(endsOn)} UTC.`
