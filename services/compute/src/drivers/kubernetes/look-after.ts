import type { Cluster } from './cluster.js'
import { failureAnnotation, servedAtAnnotation, startedAtAnnotation } from './names.js'
import type { Stored } from './objects.js'
import { hasServed, isOver, startOf, whyWaiting } from './pod-state.js'

type Pod = Stored<'Pod'>

const concurrency = 8

/**
 * Notes on pods what a node could forget, and ends those that do not start in time. A failure is repeated with the
 * next call: only what was noted counts.
 */
export async function lookAfter(
  cluster: Cluster,
  pods: Pod[],
  startTimeoutMs: number,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const left = pods.values()
  const worker = async () => {
    for (const pod of left)
      await lookAfterPod(cluster, pod, startTimeoutMs, now, signal).catch(() => {})
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

async function lookAfterPod(
  cluster: Cluster,
  pod: Pod,
  startTimeoutMs: number,
  now: Date,
  signal: AbortSignal,
) {
  if (isOver(pod)) return
  const { annotations = {}, creationTimestamp, deletionTimestamp } = pod.metadata
  const startedAt = startOf(pod)
  const notes = {
    ...(startedAt &&
      !annotations[startedAtAnnotation] && {
        [startedAtAnnotation]: startedAt.toISOString(),
      }),
    ...(hasServed(pod) &&
      !annotations[servedAtAnnotation] && {
        [servedAtAnnotation]: now.toISOString(),
      }),
  }
  if (Object.keys(notes).length > 0) {
    await cluster.patch('Pod', pod, { metadata: { annotations: notes } }, signal)
  }
  const ageMs = now.getTime() - new Date(creationTimestamp ?? now).getTime()
  if (hasServed(pod) || deletionTimestamp || ageMs < startTimeoutMs) return
  const failure = whyWaiting(pod) || 'The notebook server did not start in time.'
  const failed = { metadata: { annotations: { [failureAnnotation]: failure } } }
  await cluster.delete('Pod', await cluster.patch('Pod', pod, failed, signal), signal)
}
