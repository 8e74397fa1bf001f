import { isAlive, type Observation } from '../drivers/port.js'
import { type Happening, next, type State } from './lifecycle.js'

/** What the reconciler reads of an instance. */
export type Subject = State & {
  run_id: string
  attempts: number
  /** Whether the volume is deleted now if the instance is terminated. */
  is_removal_due: boolean
}

/** What the driver reported has happened to the current run, if that is news. */
export type Finding = { happening: Happening; detail: string }

/** `attemptsMax`: how often a run that fails is followed by another one. */
export function findingOf(
  instance: Subject,
  seen: Observation | undefined,
  attemptsMax: number,
): Finding | undefined {
  const { observed, run_id } = instance
  if (['stopped', 'failed', 'gone'].includes(observed)) {
    const isBack = seen && (isAlive(seen) || observed === 'gone')
    return isBack ? { happening: 'run_reappeared', detail: '' } : undefined
  }
  const own = seen?.runId === run_id ? seen : undefined
  const wasSeen = observed === 'starting' || observed === 'running'
  const state = own?.state ?? (wasSeen ? 'failed' : undefined)
  if (!state) return undefined
  const detail = own ? own.detail : 'The run disappeared.'
  const found = (happening: Happening) =>
    next(instance, happening) ? { happening, detail } : undefined
  if (state !== 'failed') return found(`run_${state}`)
  return instance.desired === 'running' && instance.attempts < attemptsMax
    ? found('run_retried')
    : found('run_failed')
}

/** The next call to the driver. */
export type Action =
  | { call: 'start' }
  /** `happening`: what is known if the driver has no such run after the call. */
  | { call: 'stop'; runId: string; happening?: Happening }
  | { call: 'remove' }
  /** No call: the driver has nothing of the instance any more. */
  | { call: 'none'; happening: Happening }

/**
 * `seen`: the newest run of the instance that the driver has, after its findings were taken over. A run is never
 * started before all others have ended.
 */
export function actionOf(
  instance: Subject,
  seen: Observation | undefined,
  attemptsMax: number,
): Action | undefined {
  const { desired, observed, run_id: runId } = instance
  if (seen && seen.runId !== runId && isAlive(seen)) return { call: 'stop', runId: seen.runId }
  const isSeen = seen?.runId === runId
  const hasEnded = observed === 'stopped' || observed === 'failed' || observed === 'gone'
  if (desired === 'running') {
    if (observed !== 'none') return undefined
    const isOver = instance.attempts >= attemptsMax
    return isOver && !isSeen ? { call: 'stop', runId, happening: 'run_failed' } : { call: 'start' }
  }
  if (!hasEnded) return { call: 'stop', runId, ...(!isSeen && { happening: 'run_stopped' }) }
  if (desired !== 'terminated' || !instance.is_removal_due) return undefined
  if (seen) return { call: 'remove' }
  return observed === 'gone' ? undefined : { call: 'none', happening: 'removed' }
}
