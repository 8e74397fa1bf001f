import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '@figbase/kit/files'
import { pidOf } from '@figbase/kit/processes'
import { AnotherRun, type Driver, DriverFailed, type Observation, type RunSpec } from '../port.js'
import { createInstance } from './create-instance.js'
import { killRun } from './end-run.js'
import { type Found, findConfinement, isRoot } from './find-confinement.js'
import { instanceDirectory, writableOf } from './instance-directory.js'
import { measurementOf, observationOf, readInstance } from './observe.js'
import { kill } from './processes-of.js'
import { isEnded, type RunRecord, writeJson } from './run-files.js'
import type { LocalSettings } from './settings.js'
import { startSupervisor } from './start-supervisor.js'
import { uptimeMs } from './uptime.js'
import { withLock } from './with-lock.js'

/** How long a run may take to end in order. */
const stopMsMax = 15_000
const noRun: RunRecord = { runId: '', stopped: [], supervisor: '', isRemoved: false }

const deleteAll = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** Runs notebook servers on this machine. What it knows is in files, so several processes may share `directory`. */
export function createLocalDriver(settings: LocalSettings): Driver {
  const { directory: root, uids, jupyterPath, processesMax } = settings
  let found: Found | undefined

  const locked = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    await makeDirectory(root)
    return withLock(join(root, 'lock'), signal, work)
  }
  const save = (instanceId: string, record: RunRecord) =>
    writeJson(instanceDirectory(root, instanceId).record, record)

  /** Only success is remembered: an operator may install what is missing. */
  async function confinement(signal: AbortSignal) {
    if (found && 'isConfined' in found) return found
    found = await locked(signal, () => findConfinement(settings))
    return found
  }

  async function start(spec: RunSpec, isConfined: boolean) {
    const { instanceId, runId } = spec
    const known = await readInstance(root, instanceId)
    const record = known?.record ?? noRun
    if (record.isRemoved) throw new AnotherRun('the instance is being removed')
    if (runId <= record.runId || record.stopped.includes(runId)) return
    const state = known && observationOf(instanceId, known)?.state
    if (state && !isEnded(state)) throw new AnotherRun('another run has not ended')
    const ids = isConfined && isRoot() ? uids : undefined
    const uid = await createInstance(root, instanceId, spec.environment.GF_URL ?? '', ids)
    const stopped = record.stopped.filter((each) => each > runId)
    const supervisor = await startSupervisor(instanceDirectory(root, instanceId).log)
    await save(instanceId, { ...noRun, runId, stopped, supervisor: supervisor.name })
    const confined = isConfined ? { uid } : null
    supervisor.release({ run: spec, root, confinement: confined, jupyterPath, processesMax })
  }

  return {
    name: 'local',

    async unavailableReason() {
      const now = await confinement(new AbortController().signal)
      return 'reason' in now ? now.reason : undefined
    },

    async start(spec, signal) {
      const now = await confinement(signal)
      if ('reason' in now) throw new DriverFailed(now.reason)
      await locked(signal, () => start(spec, now.isConfined))
    },

    stop: ({ instanceId, runId }, signal) =>
      locked(signal, async () => {
        const known = await readInstance(root, instanceId)
        const record = known?.record ?? noRun
        if (runId < record.runId) return
        const stopped = [...new Set([...record.stopped, runId])]
        if (runId > record.runId) {
          await makeDirectory(instanceDirectory(root, instanceId).path)
          return save(instanceId, { ...record, stopped })
        }
        const stoppedMs = record.stoppedMs ?? uptimeMs()
        await save(instanceId, { ...record, stopped, stoppedMs })
        const supervisor = pidOf(record.supervisor)
        if (!supervisor) return
        if (uptimeMs() - stoppedMs < stopMsMax) kill(supervisor, 'SIGTERM')
        else await killRun(record, known?.status)
      }),

    async remove(instanceId, signal) {
      const directory = instanceDirectory(root, instanceId)
      const isKnown = await locked(signal, async () => {
        const known = await readInstance(root, instanceId)
        if (!known) return false
        await save(instanceId, { ...known.record, isRemoved: true })
        await killRun(known.record, known.status)
        return true
      })
      if (!isKnown) return
      // This can take long; until the record is deleted, too, no run starts.
      for (const path of writableOf(directory)) await deleteAll(path)
      await locked(signal, () => deleteAll(directory.path))
    },

    async observe() {
      await makeDirectory(root)
      const entries = await readdir(root, { withFileTypes: true })
      const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
      const observations: Observation[] = []
      for (const id of ids) {
        const known = await readInstance(root, id)
        const observation = known && observationOf(id, known)
        if (observation) observations.push(observation)
      }
      return observations
    },

    async measure(instanceId) {
      const known = await readInstance(root, instanceId)
      return known && measurementOf(known)
    },
  }
}
