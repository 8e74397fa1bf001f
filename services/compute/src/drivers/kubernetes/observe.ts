import type { Observation } from '../port.js'
import type { Cluster } from './cluster.js'
import { instanceOf } from './names.js'
import type { Stored } from './objects.js'
import { isWaiting, observationOf } from './pod-state.js'
import { entryOf, type InstanceRecord, type RecordEntry, readEntry } from './record.js'

type Pod = Stored<'Pod'>

/** What was seen, and the pods whose runs have begun. */
export type Seen = { observations: Observation[]; pods: Pod[]; at: Date }

/**
 * The newest run of each instance. The records are read before the pods: what is recorded of a pod is written before
 * the pod is removed, so a run without a pod is in its record, or its record has changed meanwhile.
 */
export async function observeAll(cluster: Cluster, signal: AbortSignal): Promise<Seen> {
  const records = await cluster.list('ConfigMap', signal)
  const { items, at } = await cluster.list('Pod', signal)
  const podOf = new Map(items.map((pod) => [instanceOf(pod), pod]))
  const entryOfInstance = new Map(records.items.map((one) => [instanceOf(one), entryOf(one)]))
  const observations: Observation[] = []
  for (const instanceId of new Set([...podOf.keys(), ...entryOfInstance.keys()])) {
    const pod = podOf.get(instanceId)
    const entry = entryOfInstance.get(instanceId) ?? entryOf(undefined)
    const found =
      pod && !isWaiting(pod)
        ? observationOf(pod, entry.record.stopped, at)
        : await observeRecord(cluster, instanceId, entry, pod, at, signal)
    if (found) observations.push(found)
  }
  return { observations, pods: items.filter((pod) => !isWaiting(pod)), at }
}

/** Of an instance without a run that has a pod, unless that still waits. */
async function observeRecord(
  cluster: Cluster,
  instanceId: string,
  entry: RecordEntry,
  waiting: Pod | undefined,
  at: Date,
  signal: AbortSignal,
): Promise<Observation | undefined> {
  const { record, stored } = entry
  const { runId, ended } = record
  if (ended?.runId === runId || (waiting && ended)) return toObservation(instanceId, ended)
  if (waiting || !runId) return leftOver(instanceId, record)
  // Its pod vanished, or was removed after the record was read.
  const now = await readEntry(cluster, instanceId, signal)
  if (now.stored?.metadata.resourceVersion === stored?.metadata.resourceVersion) {
    return vanished(instanceId, record)
  }
  const pod = await cluster.find('Pod', stored?.metadata.name ?? '', signal)
  if (pod && !isWaiting(pod)) return observationOf(pod, now.record.stopped, at)
  return now.stored && observeRecord(cluster, instanceId, now, pod, at, signal)
}

const toObservation = (
  instanceId: string,
  { startedAt, ...ended }: NonNullable<InstanceRecord['ended']>,
): Observation => ({ instanceId, ...ended, ...(startedAt && { startedAt: new Date(startedAt) }) })

/** Without any run that began; what is being removed is shown until all of it is. */
function leftOver(instanceId: string, { claim, isRemoved }: InstanceRecord) {
  if (!isRemoved || !claim) return undefined
  return { instanceId, runId: claim.runId, state: 'stopped', detail: '', ranForMs: 0 } as const
}

/** Somebody removed the pod and its finalizer, or it was stopped before it began. */
function vanished(instanceId: string, { runId, stopped }: InstanceRecord): Observation {
  const isStopped = stopped.includes(runId)
  const detail = isStopped ? '' : 'Its pod was removed from outside.'
  return { instanceId, runId, state: isStopped ? 'stopped' : 'failed', detail, ranForMs: 0 }
}
