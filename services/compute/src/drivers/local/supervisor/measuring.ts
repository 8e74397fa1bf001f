import type { JupyterState, jupyterApi } from '../../jupyter.js'
import type { RunSpec } from '../../port.js'
import type { RunProcesses } from '../processes-of.js'
import type { RunStatus } from '../run-files.js'
import { createCpuMeter } from './usage.js'

const percent = (part: number, whole: number) =>
  Math.round(Math.min(100, Math.max(0, (100 * part) / whole)))

const askMs = 2000

/** Measures a run from outside. What Jupyter tells of kernels, the notebook could forge; it is asked in the background. */
export function createMeasuring(
  { vcpu, memoryBytes, volumeBytesMax }: RunSpec,
  processes: RunProcesses,
  api: ReturnType<typeof jupyterApi>,
) {
  const cpuMsSince = createCpuMeter()
  let measuredAt = performance.now()
  let last: JupyterState = { kernels: 0, busyKernels: 0, lastActivityAt: new Date(0) }
  let isUp = false
  let askAgainAt = 0

  async function ask() {
    askAgainAt = Number.POSITIVE_INFINITY
    const state = await api.state().catch(() => undefined)
    isUp = state !== undefined
    last = state ?? last
    askAgainAt = performance.now() + (isUp ? askMs : 0)
  }

  return (taken: {
    memoryBytes: number
    diskBytes: number
  }): NonNullable<RunStatus['measurement']> => {
    if (performance.now() >= askAgainAt) ask()
    const cpuMs = cpuMsSince(processes.list())
    const now = performance.now()
    const elapsedMs = now - measuredAt
    measuredAt = now
    return {
      jupyterUp: isUp,
      activeKernelCount: last.kernels,
      busyKernelCount: last.busyKernels,
      cpuPct: percent(cpuMs, elapsedMs * vcpu),
      memPct: percent(taken.memoryBytes, memoryBytes),
      diskPct: percent(taken.diskBytes, volumeBytesMax),
      ...(last.lastActivityAt.getTime() > 0 && {
        lastActivityAt: last.lastActivityAt.toISOString(),
      }),
    }
  }
}
