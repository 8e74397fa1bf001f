import { AnotherRun, type RunSpec } from '../port.js'
import { isRefusal, toDriverFailed } from './api-error.js'
import type { Cluster } from './cluster.js'
import { discardPod } from './discard-pod.js'
import { ensureOwned, ensureVolume } from './ensure.js'
import { addressAnnotation, instanceName, runFinalizer, runOf } from './names.js'
import type { Stored } from './objects.js'
import { podOf } from './pod.js'
import { isOver, isWaiting } from './pod-state.js'
import { endIn, type InstanceRecord, type RecordEntry, readEntry, writeEntry } from './record.js'
import { runObjectsOf, volumeOf } from './run-objects.js'
import type { KubernetesSettings } from './settings.js'
import { inSteps, type Step } from './steps.js'

type Pod = Stored<'Pod'>

/**
 * Starts a run: it is claimed in the record, its pod is created with a gate, then the record names the run, and the gate
 * is removed. Who stops the run or starts a later one changes the record, and then deletes the pod that it finds. So
 * whatever of this is late, either it is refused, or the pod does not pass the gate.
 */
export async function startRun(
  cluster: Cluster,
  settings: KubernetesSettings,
  spec: RunSpec,
  signal: AbortSignal,
): Promise<void> {
  const { instanceId, runId } = spec

  const write = (entry: RecordEntry, change: Partial<InstanceRecord>) =>
    writeEntry(cluster, instanceId, entry, { ...entry.record, ...change }, signal)

  await inSteps(signal, async () => {
    const entry = await readEntry(cluster, instanceId, signal)
    const { record } = entry
    const pod = await cluster.find('Pod', instanceName(instanceId), signal)
    if (record.isRemoved) throw new AnotherRun('the instance is being removed')
    if (!mayBegin(record, pod, runId)) return 'done'
    if (pod && runOf(pod) !== runId) {
      requireOver(record, pod)
      if (record.claim?.runId === runId && isRecorded(record, pod)) {
        await discardPod(cluster, pod, signal)
        return 'wait'
      }
      await write(entry, { ...claimOf(record, runId), ...endIn(record, pod) })
      return 'again'
    }
    if (record.runId !== runId && record.claim?.runId !== runId) {
      await write(entry, claimOf(record, runId))
      return 'again'
    }
    try {
      return await create(entry, pod)
    } catch (error) {
      if (isRefusal(error)) await giveUp(error).catch(() => {})
      throw error
    }
  })

  /** Creates what is missing, and releases the pod. */
  async function create(entry: RecordEntry, found: Pod | undefined): Promise<Step> {
    const { stored, record } = entry
    const owner = stored && { name: stored.metadata.name, uid: stored.metadata.uid }
    const pod = found ?? (await cluster.create(podOf(spec, settings, owner), signal))
    if (pod.metadata.deletionTimestamp) return 'wait'
    const objects = runObjectsOf(spec, settings, pod)
    await ensureOwned(cluster, 'Secret', objects.secret, pod, signal)
    await ensureOwned(cluster, 'NetworkPolicy', objects.policy, pod, signal)
    const service = await ensureOwned(cluster, 'Service', objects.service, pod, signal)
    const volume = await ensureVolume(cluster, volumeOf(spec, settings), signal)
    if (volume.metadata.deletionTimestamp) throw new AnotherRun('the volume is being removed')
    // Whoever changes the record from now on finds this pod, and deletes it.
    if (record.runId !== runId) await write(entry, { runId, claim: undefined })
    else if (!(await isUnchanged(entry))) return 'again'
    return release(pod, addressOf(service, settings))
  }

  async function isUnchanged({ stored }: RecordEntry) {
    const now = await readEntry(cluster, instanceId, signal)
    return now.stored?.metadata.resourceVersion === stored?.metadata.resourceVersion
  }

  async function release({ metadata: { name, uid } }: Pod, address: string): Promise<Step> {
    const pod = await cluster.find('Pod', name, signal)
    if (pod?.metadata.uid !== uid || !isWaiting(pod)) return 'again'
    const metadata = {
      annotations: { [addressAnnotation]: address },
      finalizers: [...(pod.metadata.finalizers ?? []), runFinalizer],
    }
    await cluster.patch('Pod', pod, { metadata, spec: { schedulingGates: null } }, signal)
    return 'done'
  }

  /** Notes why the run cannot begin, and frees what its pod reserves. The same run may be started again. */
  async function giveUp(error: unknown) {
    const refusal = (toDriverFailed(error) as Error).message
    const entry = await readEntry(cluster, instanceId, signal)
    const pod = await cluster.find('Pod', instanceName(instanceId), signal)
    if (entry.record.claim?.runId !== runId) return
    if (pod && runOf(pod) === runId && isWaiting(pod)) await discardPod(cluster, pod, signal)
    await write(entry, { claim: { runId, refusal } })
  }
}

/** Whether the run has not begun, and was neither stopped nor followed by another one. */
function mayBegin(
  { runId: newest, claim, stopped }: InstanceRecord,
  pod: Pod | undefined,
  runId: string,
) {
  if (runId < newest || (claim && runId < claim.runId) || stopped.includes(runId)) return false
  const isOwn = pod && runOf(pod) === runId
  if (isOwn && !isWaiting(pod)) return false
  return runId !== newest || isOwn === true
}

/** `pod` is one of another run. */
function requireOver({ runId, stopped }: InstanceRecord, pod: Pod) {
  const isAboutToBegin = runOf(pod) === runId && !stopped.includes(runId)
  const isAlive = isWaiting(pod) ? isAboutToBegin : !isOver(pod)
  if (isAlive) throw new AnotherRun('another run has not ended')
}

const isRecorded = ({ ended }: InstanceRecord, pod: Pod) =>
  isWaiting(pod) || ended?.runId === runOf(pod)

function claimOf({ claim, stopped }: InstanceRecord, runId: string): Partial<InstanceRecord> {
  const isSame = claim?.runId === runId
  return { claim: isSame ? claim : { runId }, stopped: stopped.filter((each) => each > runId) }
}

function addressOf({ spec }: Stored<'Service'>, { port }: KubernetesSettings): string {
  const host = spec?.clusterIP ?? ''
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
