import type { Cluster } from './cluster.js'
import { runFinalizer } from './names.js'
import type { Stored } from './objects.js'

/** Removes a pod that is over or never began. How its run ended must be recorded before. */
export async function discardPod(
  cluster: Cluster,
  pod: Stored<'Pod'>,
  signal: AbortSignal,
): Promise<void> {
  const { finalizers = [], deletionTimestamp, deletionGracePeriodSeconds = 0, uid } = pod.metadata
  // A pod that waits must not have been released meanwhile; one that is over needs no time to end.
  const isDeleted = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0
  if (!isDeleted) await cluster.delete('Pod', pod, signal, true)
  if (!finalizers.includes(runFinalizer)) return
  const now = isDeleted ? pod : await cluster.find('Pod', pod.metadata.name, signal)
  if (now?.metadata.uid !== uid) return
  const others = (now.metadata.finalizers ?? []).filter((each) => each !== runFinalizer)
  await cluster.patch('Pod', now, { metadata: { finalizers: others } }, signal)
}
