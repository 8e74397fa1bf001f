import type { JupyterState, jupyterApi } from '../../jupyter.js'
import type { RunSpec } from '../../port.js'
import type { RunProcesses } from '../processes-of.js'
import type { RunStatus } from '../run-files.js'
import { uptimeMs } from '../uptime.js'
import { createCpuMeter } from './usage.js'

const percent = (part: number, whole: number) =>
  Math.round(10_000 * Math.min(1, Math.max(0, part / whole))) / 100

const askMs = 2000
/** As long as the usual interval of heartbeats, so that none misses what was between. */
const cpuWindowMs = 10_000

/** The use of processors in the last seconds, from what was used since the last call: 1 is one processor. */
function createCpuAverage(): (cpuMs: number, elapsedMs: number) => number {
  const spans: { cpuMs: number; elapsedMs: number }[] = []
  let cpuSum = 0
  let elapsedSum = 0
  return (cpuMs, elapsedMs) => {
    spans.push({ cpuMs, elapsedMs })
    cpuSum += cpuMs
    elapsedSum += elapsedMs
    while (spans.length > 1 && elapsedSum > cpuWindowMs) {
      const oldest = spans.shift()
      cpuSum -= oldest?.cpuMs ?? 0
      elapsedSum -= oldest?.elapsedMs ?? 0
    }
    return cpuSum / elapsedSum
  }
}

/** Measures a run from outside. What Jupyter tells of kernels, the notebook could forge; it is asked in the background. */
export function createMeasuring(
  { vcpu, memoryBytes, volumeBytesMax }: RunSpec,
  processes: RunProcesses,
  api: ReturnType<typeof jupyterApi>,
) {
  const cpuMsSince = createCpuMeter()
  const averageOf = createCpuAverage()
  let measuredAt = performance.now()
  let last: JupyterState = { kernels: 0, busyKernels: 0, lastActivityAt: new Date(0) }
  let lastAskedMs = uptimeMs()
  let isUp = false
  let askAgainAt = 0

  async function ask() {
    askAgainAt = Number.POSITIVE_INFINITY
    const askedMs = uptimeMs()
    const state = await api.state().catch(() => undefined)
    isUp = state !== undefined
    if (state) {
      last = state
      lastAskedMs = askedMs
    }
    askAgainAt = performance.now() + (isUp ? askMs : 0)
  }

  return (taken: {
    memoryBytes: number
    diskBytes: number
  }): NonNullable<RunStatus['measurement']> => {
    if (performance.now() >= askAgainAt) ask()
    const cpuMs = cpuMsSince(processes.list())
    const now = performance.now()
    const used = averageOf(cpuMs, now - measuredAt)
    measuredAt = now
    return {
      jupyterUp: isUp,
      activeKernelCount: last.kernels,
      busyKernelCount: last.busyKernels,
      cpuPct: percent(used, vcpu),
      memPct: percent(taken.memoryBytes, memoryBytes),
      diskPct: percent(taken.diskBytes, volumeBytesMax),
      kernelsAskedMs: lastAskedMs,
      ...(last.lastActivityAt.getTime() > 0 && {
        lastActivityAt: last.lastActivityAt.toISOString(),
      }),
    }
  }
}
