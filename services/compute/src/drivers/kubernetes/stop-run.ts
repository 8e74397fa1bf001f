import type { RunRef } from '../port.js'
import type { Cluster } from './cluster.js'
import { discardPod } from './discard-pod.js'
import { instanceName, runOf } from './names.js'
import { isOver, isWaiting } from './pod-state.js'
import { type InstanceRecord, readEntry, writeEntry } from './record.js'
import { inSteps } from './steps.js'

/** Ends a run. The record says so first, so that a start on its way finds it there, and does not release a pod. */
export const stopRun = (
  cluster: Cluster,
  { instanceId, runId }: RunRef,
  signal: AbortSignal,
): Promise<void> =>
  inSteps(signal, async () => {
    const entry = await readEntry(cluster, instanceId, signal)
    const { record } = entry
    if (runId < record.runId) return 'done'
    if (!record.stopped.includes(runId)) {
      await writeEntry(cluster, instanceId, entry, withStopped(record, runId), signal)
    }
    const pod = await cluster.find('Pod', instanceName(instanceId), signal)
    if (!pod || runOf(pod) !== runId || isOver(pod)) return 'done'
    if (isWaiting(pod)) await discardPod(cluster, pod, signal)
    else if (!pod.metadata.deletionTimestamp) await cluster.delete('Pod', pod, signal)
    return 'done'
  })

/** A run that was claimed counts as one that ended before it began: something may be left of its start. */
function withStopped(record: InstanceRecord, runId: string): InstanceRecord {
  const stopped = [...record.stopped, runId]
  const { claim } = record
  if (claim?.runId !== runId) return { ...record, stopped }
  const { refusal: detail = '' } = claim
  const state = detail ? 'failed' : 'stopped'
  return {
    ...record,
    stopped,
    claim: undefined,
    runId,
    ended: { runId, state, detail, ranForMs: 0 },
  }
}
