import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { jupyterApi } from '../../jupyter.js'
import { type InstanceDirectory, instanceDirectory } from '../instance-directory.js'
import { confinedProcesses, type RunProcesses, unconfinedProcesses } from '../processes-of.js'
import { startEntry } from '../start-entry.js'
import { createLimits } from './limits.js'
import { endOfLog, shortenLog } from './log.js'
import { createMeasuring } from './measuring.js'
import type { SupervisorSpec } from './spec.js'
import { startNotebook } from './start-notebook.js'
import { createStatus, type StatusFile } from './status.js'

const startingTickMs = 100
const runningTickMs = 500
const startTimeoutMs = 60_000
/** How long the notebook server may take to end in order. */
const stopMs = 5000

/** Runs the notebook server until it ends, exceeds a limit, or `stop` is aborted. */
export async function supervise(spec: SupervisorSpec, stop: AbortSignal): Promise<void> {
  const { run, root } = spec
  const confinement = spec.confinement ?? undefined
  const directory = instanceDirectory(root, run.instanceId)
  const entry = await startEntry(directory, confinement, run.runId)
  const ended = new AbortController()
  const exited = once(entry.child, 'exit').then(([code]): number | null => {
    ended.abort()
    return code
  })
  const processes = confinement
    ? confinedProcesses(entry.leader)
    : unconfinedProcesses(entry.leader, run.runId)
  const status = await createStatus(directory.status, run.runId, entry.leader)
  const address = await startNotebook(spec, directory, entry)
  const api = jupyterApi(`${address}${run.basePath}`, run.token)

  const until = AbortSignal.any([ended.signal, stop])
  const problem = await watch({ spec, directory, processes, status, address, api, until })
  if (stop.aborted) {
    await api.shutDown().catch(() => {})
    await sleep(stopMs, undefined, { signal: ended.signal }).catch(() => {})
  }
  await processes.end()
  const isWanted = stop.aborted || ((await exited) === 0 && !problem)
  if (isWanted) return status.update({ state: 'stopped', detail: '' })
  const detail = problem || `the notebook server ended: ${await endOfLog(directory.log)}`
  await status.update({ state: 'failed', detail })
}

type Watched = {
  spec: SupervisorSpec
  directory: InstanceDirectory
  processes: RunProcesses
  status: StatusFile
  address: string
  api: ReturnType<typeof jupyterApi>
  until: AbortSignal
}

/** Records what the run takes, and enforces its limits; returns why it must end, or an empty text if it has ended. */
async function watch({ spec, directory, processes, status, address, api, until }: Watched) {
  const { run, confinement } = spec
  const limits = createLimits({
    directory,
    processes,
    memoryBytesMax: run.memoryBytes,
    volumeBytesMax: run.volumeBytesMax,
    serverProcesses: confinement ? 4 : 2,
  })
  const measure = createMeasuring(run, processes, api)
  const failsAt = performance.now() + startTimeoutMs
  while (!until.aborted) {
    const { note, problem, ...taken } = limits()
    if (problem) return problem
    const measurement = measure(taken)
    const isUp = measurement.jupyterUp || status.current.state === 'running'
    if (!isUp && performance.now() > failsAt) return 'the notebook server did not start in time'
    await status.update({
      detail: note,
      ...(isUp && { state: 'running', address, measurement }),
    })
    await shortenLog(directory.log)
    const pauseMs = isUp ? runningTickMs : startingTickMs
    await sleep(pauseMs, undefined, { signal: until }).catch(() => {})
  }
  return ''
}
