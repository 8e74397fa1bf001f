import type { Cluster } from './cluster.js'
import { discardPod } from './discard-pod.js'
import { instanceName } from './names.js'
import { isOver, isWaiting } from './pod-state.js'
import { readEntry, writeEntry } from './record.js'
import { inSteps, type Step } from './steps.js'

/** How long one call waits for a pod to end; the next call goes on. */
const waitMs = 5000

/** Removes the pod, then the volume, then the record: while that exists, no run begins. */
export async function removeInstance(
  cluster: Cluster,
  instanceId: string,
  signal: AbortSignal,
): Promise<void> {
  const name = instanceName(instanceId)
  const endsAt = performance.now() + waitMs
  const waiting = (): Step => (performance.now() < endsAt ? 'wait' : 'done')

  await inSteps(signal, async () => {
    const entry = await readEntry(cluster, instanceId, signal)
    const { record, stored } = entry
    const pod = await cluster.find('Pod', name, signal)
    const volume = await cluster.find('PersistentVolumeClaim', name, signal)
    if (!stored && !pod && !volume) return 'done'
    if (!record.isRemoved) {
      await writeEntry(cluster, instanceId, entry, { ...record, isRemoved: true }, signal)
      return 'again'
    }
    if (pod) {
      if (isWaiting(pod) || isOver(pod)) await discardPod(cluster, pod, signal)
      else if (!pod.metadata.deletionTimestamp) await cluster.delete('Pod', pod, signal)
      return waiting()
    }
    if (volume) {
      if (!volume.metadata.deletionTimestamp) {
        await cluster.delete('PersistentVolumeClaim', volume, signal)
      }
      return waiting()
    }
    if (stored) await cluster.delete('ConfigMap', stored, signal, true)
    return 'done'
  })
}
