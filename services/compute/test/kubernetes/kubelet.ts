import type { V1Pod } from '@kubernetes/client-node'
import { instanceOf, runOf } from '../../src/drivers/kubernetes/names.js'
import type { Json } from '../../src/drivers/kubernetes/objects.js'
import { type ApiObject, isTerminal, toTime } from './api-object.js'
import { type Notebook, serveNotebook } from './notebook.js'
import type { ObjectStore } from './object-store.js'

/** How long the steps of a pod take, in milliseconds. */
export type Pace = { scheduleMs: number; pullMs: number; readyMs: number; stopMs: number }

/** A container that ran, as it really was. */
export type Run = {
  instanceId: string
  runId: string
  uid: string
  beganAt: number
  endedAt?: number
}

type Pod = ApiObject & {
  spec: NonNullable<Json<V1Pod>['spec']>
  status: NonNullable<Json<V1Pod>['status']>
}
type Life = {
  since: number
  run?: Run
  notebook?: Notebook
  isReady?: boolean
  crash?: { code: number; reason: string }
}

const tickMs = 4

/** Schedules pods and runs their containers, which are small HTTP servers at the address of their service. */
export class Kubelet implements AsyncDisposable {
  readonly runs: Run[] = []
  /** Instances of which two containers ran at a time. */
  readonly doubles: string[] = []
  /** Images that cannot be pulled. */
  readonly badImages = new Set<string>()
  /** Why no pod gets a node; empty if they do. */
  full = ''
  pace: Pace = { scheduleMs: 2, pullMs: 5, readyMs: 5, stopMs: 5 }
  /** Whether containers serve. */
  isServing = true
  readonly #store: ObjectStore
  readonly #lives = new Map<string, Life>()
  readonly #lost = new Set<string>()
  readonly #timer: NodeJS.Timeout
  readonly #closing: Promise<void>[] = []

  constructor(store: ObjectStore) {
    this.#store = store
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  /** The container ends by itself. */
  crash(instanceId: string, code = 0, reason = code ? 'Error' : 'Completed'): void {
    const pod = this.#podOf(instanceId)
    const life = pod && this.#lives.get(pod.metadata.uid)
    if (life) life.crash = { code, reason }
  }

  /** The node fails: its containers end, and nobody is told. Later the cluster notices that it is not ready. */
  loseNode(instanceId: string): void {
    const pod = this.#podOf(instanceId)
    if (!pod) return
    this.#lost.add(pod.metadata.uid)
    this.#endRun(pod.metadata.uid)
    this.#store.setStatus(pod.metadata.name, {
      conditions: this.#conditions(pod, { Ready: 'False' }),
    })
  }

  /** An operator removes the failed node. */
  removeNode(instanceId: string): void {
    const pod = this.#podOf(instanceId)
    if (!pod) return
    const disruption = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
    }
    this.#store.setStatus(pod.metadata.name, {
      phase: 'Failed',
      conditions: [...(pod.status.conditions ?? []), disruption],
    })
    this.#store.delete('pods', pod.metadata.name, {}, 0)
  }

  async [Symbol.asyncDispose]() {
    clearInterval(this.#timer)
    for (const uid of [...this.#lives.keys()]) this.#endRun(uid)
    await Promise.all(this.#closing)
  }

  #podOf = (instanceId: string) =>
    (this.#store.list('pods') as Pod[]).find((pod) => instanceOf(pod) === instanceId)

  #tick() {
    const pods = this.#store.list('pods') as Pod[]
    for (const pod of pods) if (!this.#lost.has(pod.metadata.uid)) this.#step(pod)
    const uids = new Set(pods.map(({ metadata }) => metadata.uid))
    // A pod that was removed by force.
    for (const uid of this.#lives.keys()) if (!uids.has(uid)) this.#endRun(uid)
    this.#store.collect()
  }

  #step(pod: Pod) {
    const { name, uid, deletionTimestamp } = pod.metadata
    if ((pod.spec.schedulingGates ?? []).length > 0 || isTerminal(pod)) return this.#finish(pod)
    const life = this.#lives.get(uid) ?? { since: performance.now() }
    this.#lives.set(uid, life)
    const waitedMs = performance.now() - life.since
    const next = () => {
      life.since = performance.now()
    }
    if (!pod.spec.nodeName) {
      if (deletionTimestamp || waitedMs < this.pace.scheduleMs) return
      if (this.full) return this.#unschedulable(pod)
      next()
      const status = {
        startTime: toTime(this.#store.now()),
        conditions: this.#conditions(pod, { PodScheduled: 'True', Ready: 'False' }),
      }
      return this.#store.setStatus(
        name,
        { ...status, containerStatuses: waiting(pod, 'ContainerCreating') },
        { nodeName: 'node-1' },
      )
    }
    if (deletionTimestamp) {
      if (waitedMs >= this.pace.stopMs || !life.run) this.#end(pod, life, 143, 'Error')
      return
    }
    if (life.crash) return this.#end(pod, life, life.crash.code, life.crash.reason)
    if (!life.run) {
      if (waitedMs >= this.pace.pullMs) this.#begin(pod, life, next)
    } else if (!life.isReady && waitedMs >= this.pace.readyMs) {
      life.isReady = true
      next()
      this.#store.setStatus(name, { conditions: this.#conditions(pod, { Ready: 'True' }) })
    }
  }

  #unschedulable(pod: Pod) {
    const [known] = pod.status.conditions ?? []
    if (known?.reason === 'Unschedulable') return
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: this.full,
    }
    this.#store.setStatus(pod.metadata.name, { conditions: [condition] })
  }

  #begin(pod: Pod, life: Life, next: () => void) {
    const { name } = pod.metadata
    const problem = this.#problemOf(pod)
    if (problem) {
      const known = pod.status.containerStatuses?.[0]?.state?.waiting?.reason
      if (known !== problem.reason)
        this.#store.setStatus(name, {
          containerStatuses: waiting(pod, problem.reason, problem.message),
        })
      return
    }
    const instanceId = instanceOf(pod)
    const run: Run = {
      instanceId,
      runId: runOf(pod),
      uid: pod.metadata.uid,
      beganAt: this.#store.now(),
    }
    if (this.runs.some((one) => one.instanceId === instanceId && one.endedAt === undefined))
      this.doubles.push(instanceId)
    this.runs.push(run)
    life.run = run
    next()
    if (this.isServing) life.notebook = this.#serve(pod)
    const state = { running: { startedAt: toTime(run.beganAt) } }
    this.#store.setStatus(name, {
      phase: 'Running',
      containerStatuses: [{ ...containerOf(pod), ready: false, state }],
    })
  }

  #problemOf(pod: Pod) {
    const { image = '', env = [] } = pod.spec.containers[0] ?? { name: '' }
    if (this.badImages.has(image))
      return { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` }
    for (const { valueFrom } of env) {
      const { name = '', key = '' } = valueFrom?.secretKeyRef ?? {}
      if (this.#store.find('secrets', name)?.data?.[key] === undefined) {
        return { reason: 'CreateContainerConfigError', message: `secret "${name}" not found` }
      }
    }
    const claim =
      pod.spec.volumes?.find(({ persistentVolumeClaim }) => persistentVolumeClaim)
        ?.persistentVolumeClaim?.claimName ?? ''
    return this.#store.find('persistentvolumeclaims', claim)
      ? undefined
      : { reason: 'ContainerCreating', message: `persistentvolumeclaim "${claim}" not found` }
  }

  #serve(pod: Pod): Notebook {
    const services = this.#store.list('services')
    const labels = pod.metadata.labels ?? {}
    const service = services.find(({ spec }) =>
      Object.entries((spec?.selector ?? {}) as Record<string, string>).every(
        ([key, value]) => labels[key] === value,
      ),
    )
    const secret = this.#store.find('secrets', `run-${runOf(pod)}`)
    const token = Buffer.from(secret?.data?.['variable.JUPYTER_TOKEN'] ?? '', 'base64').toString()
    const args = pod.spec.containers[0]?.args ?? []
    const option = (name: string) =>
      args.find((arg) => arg.startsWith(`--ServerApp.${name}=`))?.split('=')[1] ?? ''
    return serveNotebook(
      String(service?.spec?.clusterIP),
      Number(option('port')),
      option('base_url'),
      token,
    )
  }

  /** Also of a container that never began. */
  #end(pod: Pod, life: Life, exitCode: number, reason: string) {
    const { name, uid } = pod.metadata
    const { run } = life
    this.#endRun(uid)
    const endedAt = run?.endedAt ?? this.#store.now()
    const terminated = {
      exitCode,
      reason,
      startedAt: toTime(run?.beganAt ?? endedAt),
      finishedAt: toTime(endedAt),
    }
    const began = {
      containerStatuses: [{ ...containerOf(pod), ready: false, state: { terminated } }],
    }
    this.#store.setStatus(name, {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      conditions: this.#conditions(pod, { Ready: 'False' }),
      ...(run && began),
    })
  }

  /** The pod is deleted when it is over, unless a finalizer keeps it. */
  #finish(pod: Pod) {
    const { name, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
    if (deletionTimestamp && deletionGracePeriodSeconds) this.#store.delete('pods', name, {}, 0)
  }

  #endRun(uid: string) {
    const { run, notebook } = this.#lives.get(uid) ?? {}
    this.#lives.delete(uid)
    if (run) run.endedAt ??= this.#store.now()
    if (notebook) this.#closing.push(notebook.close())
  }

  #conditions(pod: Pod, changes: Record<string, string>) {
    const lastTransitionTime = toTime(this.#store.now())
    const others = (pod.status.conditions ?? []).filter(({ type }) => !changes[type])
    return [
      ...others,
      ...Object.entries(changes).map(([type, status]) => ({ type, status, lastTransitionTime })),
    ]
  }
}

const containerOf = (pod: Pod) => {
  const { image = '' } = pod.spec.containers[0] ?? {}
  return { name: 'notebook', image, imageID: image, restartCount: 0 }
}

const waiting = (pod: Pod, reason: string, message = '') => [
  {
    ...containerOf(pod),
    ready: false,
    state: { waiting: { reason, ...(message && { message }) } },
  },
]
