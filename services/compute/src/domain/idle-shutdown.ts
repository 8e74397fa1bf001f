import type { Measurement } from '../drivers/port.js'
import { effectiveIdle, type Idle, type PlanIdle } from './idle.js'

/**
 * Whether an instance works: a kernel is busy, or its processes use at least `cpuPctMin` percent of one processor.
 * Jupyter may call a kernel idle while a cell or a thread runs, and does not know what terminals do.
 */
export const isWorking = (
  { busyKernelCount, cpuPct }: Pick<Measurement, 'busyKernelCount' | 'cpuPct'>,
  vcpu: number,
  cpuPctMin: number,
): boolean => busyKernelCount > 0 || cpuPct * vcpu >= cpuPctMin

/** A running instance that was just measured. */
export type Measured = Idle &
  PlanIdle & {
    /** Since its last activity, or since measuring began: a time without measurements is never idle. */
    idle_ms: number
    /** Until the notebook server was asked: a kernel may be busy since. */
    known_idle_ms: number
    /** Since it was announced that it is stopped; null: it was not. */
    warned_ms: number | null
    /** Until the announced time. */
    stops_in_ms: number | null
  }

export type IdleStep =
  /** To announce that it is stopped in this time. */
  { step: 'warn'; stopsInMs: number } | { step: 'withdraw' } | { step: 'stop' }

/**
 * What is due for an instance. It is always warned before it is stopped, `warningMs` before, but at most half of its
 * idle limit; a warning that comes late postpones the stop.
 */
export function idleStepOf(instance: Measured, warningMs: number): IdleStep | undefined {
  const { idle_ms, known_idle_ms, warned_ms, stops_in_ms } = instance
  const { idle_shutdown_enabled: isEnabled, idle_shutdown_seconds } = effectiveIdle(instance)
  const limitMs = idle_shutdown_seconds * 1000
  const noticeMs = Math.min(warningMs, limitMs / 2)
  const warnedAtMs = limitMs - noticeMs
  if (warned_ms === null) {
    const isDue = isEnabled && known_idle_ms >= warnedAtMs
    return isDue ? { step: 'warn', stopsInMs: noticeMs } : undefined
  }
  const wasActive = idle_ms < warned_ms
  if (!isEnabled || idle_ms < warnedAtMs || wasActive) return { step: 'withdraw' }
  const isOver = (stops_in_ms ?? 0) <= 0 && known_idle_ms >= limitMs
  return isOver ? { step: 'stop' } : undefined
}

type Unit = { name: string; seconds: number }
const second: Unit = { name: 'second', seconds: 1 }
const longer: Unit[] = [
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
]

/** For example `90 minutes`, in the largest unit that is exact enough. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const unit = longer.find((each) => seconds >= 2 * each.seconds) ?? second
  const count = Math.floor(seconds / unit.seconds)
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}

export const idleStopText = (idleMs: number): string => `It was idle for ${durationText(idleMs)}.`

/** `stopsOn`: a time in UTC, to the second or more exactly. */
export const idleWarningText = (stopsOn: string): string =>
  `It is idle, and is stopped at ${stopsOn.slice(0, 19).replace('T', ' ')} UTC unless it is used.`
