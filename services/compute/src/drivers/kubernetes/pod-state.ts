import type { Observation, RunState } from '../port.js'
import {
  addressAnnotation,
  containerName,
  failureAnnotation,
  instanceOf,
  runOf,
  servedAtAnnotation,
  startedAtAnnotation,
} from './names.js'
import type { Stored } from './objects.js'

type Pod = Stored<'Pod'>

/**
 * How old what Kubernetes says of a running container may be: by that, its time is counted less while it runs. When it
 * has ended, its time is exact. So it never shrinks.
 */
const reportDelayMs = 60_000

/** Its run has not begun, and does not before it is released. */
export const isWaiting = ({ spec }: Pod): boolean => (spec?.schedulingGates ?? []).length > 0

/** Nothing of it runs, and nothing ever will. */
export function isOver(pod: Pod): boolean {
  const { status, spec, metadata } = pod
  const isDeleted = metadata.deletionTimestamp !== undefined
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') {
    // Of a pod whose node is lost, Kubernetes may go on to say that its container runs.
    return isDeleted || !containerOf(pod)?.running
  }
  // Without a node, it does not get one any more.
  return isDeleted && !spec?.nodeName
}

/** `stopped`: the runs whose end was asked for; `now`: the clock of the API server. */
export function observationOf(pod: Pod, stopped: string[], now: Date): Observation {
  const runId = runOf(pod)
  const isEnded = isOver(pod)
  const { state, detail } = isEnded ? endOf(pod, stopped.includes(runId)) : lifeOf(pod)
  const address = pod.metadata.annotations?.[addressAnnotation]
  const startedAt = startOf(pod)
  const until = isEnded ? endTimeOf(pod) : countedUntil(pod, now)
  return {
    instanceId: instanceOf(pod),
    runId,
    state,
    detail,
    ...(state === 'running' && address && { address }),
    ...(startedAt && { startedAt }),
    ranForMs: startedAt && until ? Math.max(0, until.getTime() - startedAt.getTime()) : 0,
  }
}

/** When its container began; undefined if it has not. */
export function startOf(pod: Pod): Date | undefined {
  const { running, terminated } = containerOf(pod) ?? {}
  return toDate(
    pod.metadata.annotations?.[startedAtAnnotation] ?? running?.startedAt ?? terminated?.startedAt,
  )
}

/** Whether its notebook server accepts connections, now or before. */
export const hasServed = (pod: Pod): boolean =>
  readyOf(pod)?.status === 'True' || pod.metadata.annotations?.[servedAtAnnotation] !== undefined

type Found = { state: RunState; detail: string }

function lifeOf(pod: Pod): Found {
  if (hasServed(pod)) return { state: 'running', detail: '' }
  return { state: 'starting', detail: whyWaiting(pod) }
}

/** What a pod that does not begin waits for. */
export function whyWaiting(pod: Pod): string {
  const { reason = '', message = '' } = containerOf(pod)?.waiting ?? {}
  if (/^(ErrImage|ImagePull|InvalidImage|ErrImageNeverPull)/.test(reason)) {
    return `The image of notebooks cannot be pulled: ${message || reason}`
  }
  // Those of each start.
  if (reason && !/^(ContainerCreating|PodInitializing)$/.test(reason)) {
    return `The notebook cannot be started: ${message || reason}`
  }
  const scheduled = conditionOf(pod, 'PodScheduled')
  if (scheduled?.status !== 'False' || scheduled.reason === 'SchedulingGated') return ''
  return `The cluster has no room for the notebook: ${scheduled.message ?? scheduled.reason}`
}

function endOf(pod: Pod, isStopped: boolean): Found {
  const failure = pod.metadata.annotations?.[failureAnnotation]
  if (isStopped) return { state: 'stopped', detail: '' }
  if (failure) return { state: 'failed', detail: failure }
  const { terminated } = containerOf(pod) ?? {}
  const { status, metadata } = pod
  const disruption = conditionOf(pod, 'DisruptionTarget')?.message
  if (metadata.deletionTimestamp || disruption) {
    return { state: 'failed', detail: `Its pod was ended from outside: ${disruption ?? 'deleted'}` }
  }
  if (terminated?.reason === 'OOMKilled') {
    return { state: 'failed', detail: 'It needed more memory than its size permits.' }
  }
  if (status?.phase === 'Succeeded') return { state: 'stopped', detail: '' }
  const why = status?.message || terminated?.message?.trim() || terminated?.reason || status?.reason
  return { state: 'failed', detail: `The notebook server ended: ${why ?? 'without a reason'}` }
}

/** Kubernetes does not always know when a container ended: then, when it noticed that the pod is not ready any more. */
const endTimeOf = (pod: Pod): Date | undefined =>
  toDate(containerOf(pod)?.terminated?.finishedAt) ?? notReadySince(pod) ?? deletedAt(pod)

function countedUntil(pod: Pod, now: Date): Date {
  const until = now.getTime() - reportDelayMs
  return new Date(Math.min(until, notReadySince(pod)?.getTime() ?? until))
}

function notReadySince(pod: Pod): Date | undefined {
  const ready = readyOf(pod)
  return ready && ready.status !== 'True' ? toDate(ready.lastTransitionTime) : undefined
}

/** When its deletion was asked for. */
function deletedAt({ metadata }: Pod): Date | undefined {
  const at = toDate(metadata.deletionTimestamp)
  return at && new Date(at.getTime() - (metadata.deletionGracePeriodSeconds ?? 0) * 1000)
}

/** Clusters may add containers of their own. */
const containerOf = ({ status }: Pod) =>
  status?.containerStatuses?.find(({ name }) => name === containerName)?.state
const conditionOf = ({ status }: Pod, type: string) =>
  status?.conditions?.find((one) => one.type === type)
const readyOf = (pod: Pod) => conditionOf(pod, 'Ready')

/** A time that Kubernetes does not know is absent, null, or the epoch. */
function toDate(text: string | null | undefined): Date | undefined {
  const date = new Date(text ?? 0)
  return date.getTime() > 0 ? date : undefined
}
