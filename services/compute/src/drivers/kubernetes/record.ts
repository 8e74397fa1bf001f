import type { Observation } from '../port.js'
import { isStatus } from './api-error.js'
import type { Cluster } from './cluster.js'
import { instanceName, labelsOf } from './names.js'
import type { Stored } from './objects.js'
import { isWaiting, observationOf } from './pod-state.js'

/** How a run ended whose pod was removed. */
export type EndedRun = Pick<Observation, 'runId' | 'state' | 'detail' | 'ranForMs'> & {
  startedAt?: string
}

/** What the driver knows of an instance besides its pod. It is changed only as it was read. */
export type InstanceRecord = {
  /** The newest run that may have begun; empty if there is none. */
  runId: string
  /** A later run that is being started, and must not begin before it is `runId`. */
  claim?: { runId: string; refusal?: string }
  ended?: EndedRun
  /** Runs that must not begin, or not again. Those older than `runId` and `claim` never do. */
  stopped: string[]
  isRemoved: boolean
}

const noRecord: InstanceRecord = { runId: '', stopped: [], isRemoved: false }

/** A record as it was read; without `stored`, there is none yet. */
export type RecordEntry = { record: InstanceRecord; stored?: Stored<'ConfigMap'> }

const key = 'record'

export function entryOf(stored: Stored<'ConfigMap'> | undefined): RecordEntry {
  if (!stored) return { record: noRecord }
  const text = stored.data?.[key]
  return { record: text ? { ...noRecord, ...JSON.parse(text) } : noRecord, stored }
}

export const readEntry = async (
  cluster: Cluster,
  instanceId: string,
  signal: AbortSignal,
): Promise<RecordEntry> =>
  entryOf(await cluster.find('ConfigMap', instanceName(instanceId), signal))

/** Rejects with an ApiError 409 if it was changed since it was read. */
export async function writeEntry(
  cluster: Cluster,
  instanceId: string,
  { stored }: RecordEntry,
  record: InstanceRecord,
  signal: AbortSignal,
): Promise<RecordEntry> {
  const data = { [key]: JSON.stringify(record) }
  const written = stored
    ? cluster.replace('ConfigMap', { ...stored, data }, signal)
    : cluster.create(
        {
          kind: 'ConfigMap',
          metadata: { name: instanceName(instanceId), labels: labelsOf(instanceId) },
          data,
        },
        signal,
      )
  return { record, stored: await written }
}

/** `record` with the end of the run of `pod`, if it began: then the pod may be removed. */
export function endIn(
  { runId, stopped }: InstanceRecord,
  pod: Stored<'Pod'>,
): Partial<InstanceRecord> {
  if (isWaiting(pod)) return {}
  const { startedAt, ...seen } = observationOf(pod, stopped, new Date())
  const { state, detail, ranForMs } = seen
  const ended = {
    runId: seen.runId,
    state,
    detail,
    ranForMs,
    ...(startedAt && { startedAt: startedAt.toISOString() }),
  }
  return { ended, runId: seen.runId > runId ? seen.runId : runId }
}

/** Somebody else changed, created or deleted the object: it must be read again. */
export const isConflict = (error: unknown): boolean => isStatus(error, 409)
