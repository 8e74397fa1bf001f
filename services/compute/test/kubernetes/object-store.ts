import { randomInt, randomUUID } from 'node:crypto'
import { type ApiObject, asPod, isTerminal, plurals, toTime } from './api-object.js'
import {
  alreadyExists,
  changed,
  conflict,
  expired,
  forbidden,
  invalid,
  notFound,
} from './status-error.js'

export type StoredEvent = { version: number; plural: string; type: string; object: ApiObject }
export type Preconditions = { uid?: string; resourceVersion?: string }

/** Objects with versions, finalizers and owners, as the API server keeps them. */
export class ObjectStore {
  readonly #objects = new Map<string, { plural: string; object: ApiObject }>()
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  readonly events: StoredEvent[] = []
  /** Events up to here are forgotten. */
  compactedTo = 0
  version = 100
  readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  find = (plural: string, name: string): ApiObject | undefined =>
    structuredClone(this.#objects.get(`${plural}/${name}`)?.object)

  get(plural: string, name: string): ApiObject {
    const found = this.find(plural, name)
    if (!found) throw notFound(plural, name)
    return found
  }

  list = (plural: string): ApiObject[] =>
    [...this.#objects.values()]
      .filter((one) => one.plural === plural)
      .map(({ object }) => structuredClone(object))
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))

  onEvent(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The events after a version; throws 410 if some of them are forgotten. */
  since(version: number): StoredEvent[] {
    if (version < this.compactedTo) throw expired(version, this.compactedTo)
    return this.events.filter((event) => event.version > version)
  }

  compact(): void {
    this.compactedTo = this.version
    this.events.length = 0
  }

  create(plural: string, given: ApiObject, isTrial: boolean): ApiObject {
    const { name, namespace } = given.metadata
    if (this.find(plural, name)) throw alreadyExists(plural, name)
    const kind = plurals[plural]
    const object: ApiObject = {
      ...structuredClone(given),
      apiVersion: kind?.group ? `${kind.group}/v1` : 'v1',
      kind: kind?.kind ?? '',
      metadata: {
        ...given.metadata,
        namespace,
        uid: randomUUID(),
        resourceVersion: '',
        creationTimestamp: toTime(this.now()),
      },
    }
    complete(plural, object, this.now())
    return isTrial ? object : this.#put(plural, object, 'ADDED')
  }

  /** `given` is the whole object; an empty version is not compared. */
  update(plural: string, given: ApiObject): ApiObject {
    const { name, resourceVersion, uid } = given.metadata
    const old = this.get(plural, name)
    if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) {
      throw conflict(plural, name, changed)
    }
    if (uid && uid !== old.metadata.uid) throw conflict(plural, name, 'Precondition failed: UID')
    checkUpdate(plural, old, given)
    const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = old.metadata
    const metadata = {
      ...given.metadata,
      uid: old.metadata.uid,
      ...(creationTimestamp && { creationTimestamp }),
      ...(deletionTimestamp && { deletionTimestamp }),
      ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    }
    const object = { ...structuredClone(given), metadata }
    if (plural === 'pods' && old.status) object.status = old.status
    return this.#settle(plural, object)
  }

  /** Of the kubelet and the controllers. */
  setStatus(name: string, status: object, spec: object = {}): void {
    const pod = this.find('pods', name)
    if (!pod) return
    const object = { ...pod, spec: { ...pod.spec, ...spec }, status: { ...pod.status, ...status } }
    this.#put('pods', object, 'MODIFIED')
  }

  delete(
    plural: string,
    name: string,
    { uid, resourceVersion }: Preconditions = {},
    graceSeconds?: number,
  ): ApiObject {
    const object = this.get(plural, name)
    const { metadata } = object
    if (uid && uid !== metadata.uid) {
      throw conflict(
        plural,
        name,
        `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      )
    }
    if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
      throw conflict(
        plural,
        name,
        `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion})`,
      )
    }
    const grace = plural === 'pods' ? graceOf(object, graceSeconds) : 0
    if (!metadata.deletionTimestamp) {
      metadata.deletionTimestamp = toTime(this.now() + 1000 * grace)
      metadata.deletionGracePeriodSeconds = grace
    } else if (grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
      const asked =
        Date.parse(metadata.deletionTimestamp) - 1000 * (metadata.deletionGracePeriodSeconds ?? 0)
      metadata.deletionTimestamp = toTime(asked + 1000 * grace)
      metadata.deletionGracePeriodSeconds = grace
    }
    return this.#settle(plural, object)
  }

  /** Deletes what has lost all of its owners, and volumes that no pod uses. */
  collect(): void {
    const uids = new Set([...this.#objects.values()].map(({ object }) => object.metadata.uid))
    for (const { plural, object } of [...this.#objects.values()]) {
      const { ownerReferences = [], name, deletionTimestamp } = object.metadata
      const isOrphan =
        ownerReferences.length > 0 && !ownerReferences.some(({ uid }) => uids.has(uid))
      if (isOrphan && !deletionTimestamp) this.delete(plural, name)
      const isUsed = () =>
        this.list('pods').some((pod) => pod.metadata.name === name && !isTerminal(pod))
      if (plural === 'persistentvolumeclaims' && deletionTimestamp && !isUsed()) {
        this.update(plural, { ...object, metadata: { ...object.metadata, finalizers: [] } })
      }
    }
  }

  #settle(plural: string, object: ApiObject): ApiObject {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
    const isGone = deletionTimestamp && deletionGracePeriodSeconds === 0 && finalizers.length === 0
    return this.#put(plural, object, isGone ? 'DELETED' : 'MODIFIED')
  }

  #put(plural: string, object: ApiObject, type: string): ApiObject {
    object.metadata.resourceVersion = String(++this.version)
    const key = `${plural}/${object.metadata.name}`
    if (type === 'DELETED') this.#objects.delete(key)
    else this.#objects.set(key, { plural, object: structuredClone(object) })
    const event = { version: this.version, plural, type, object: structuredClone(object) }
    this.events.push(event)
    for (const listener of this.#listeners) listener(event)
    return structuredClone(object)
  }
}

/** What the API server adds to a new object. */
function complete(plural: string, object: ApiObject, now: number) {
  const { metadata } = object
  if (plural === 'secrets') {
    const encoded = Object.entries(object.stringData ?? {}).map(([key, value]) => [
      key,
      Buffer.from(value).toString('base64'),
    ])
    object.data = { ...object.data, ...Object.fromEntries(encoded) }
    delete object.stringData
  }
  if (plural === 'persistentvolumeclaims') {
    metadata.finalizers = [...(metadata.finalizers ?? []), 'kubernetes.io/pvc-protection']
    object.status = { phase: 'Pending' }
  }
  if (plural === 'services') object.spec = { ...object.spec, clusterIP: newAddress() }
  if (plural !== 'pods') return
  metadata.generation = 1
  const isGated = (asPod(object).spec.schedulingGates ?? []).length > 0
  const scheduled = { type: 'PodScheduled', status: 'False', lastTransitionTime: toTime(now) }
  object.status = {
    phase: 'Pending',
    conditions: isGated
      ? [
          {
            ...scheduled,
            reason: 'SchedulingGated',
            message: 'Scheduling is blocked due to non-empty scheduling gates',
          },
        ]
      : [],
  }
}

/** Of this machine, so that notebooks of tests can listen there: rarely one that another process uses. */
const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(2, 255)}`

function graceOf(object: ApiObject, asked: number | undefined): number {
  const { spec } = asPod(object)
  if (!spec.nodeName || isTerminal(object)) return 0
  return asked ?? spec.terminationGracePeriodSeconds ?? 30
}

function checkUpdate(plural: string, old: ApiObject, given: ApiObject) {
  const { name, deletionTimestamp, finalizers = [] } = old.metadata
  const kind = plurals[plural]?.kind ?? ''
  const added = (given.metadata.finalizers ?? []).filter((each) => !finalizers.includes(each))
  if (deletionTimestamp && added.length > 0) {
    throw forbidden(plural, name, 'no new finalizers can be added if the object is being deleted')
  }
  if (old.immutable && JSON.stringify(old.data) !== JSON.stringify(given.data)) {
    throw invalid(kind, name, 'data: Forbidden: field is immutable when `immutable` is set')
  }
  if (plural !== 'pods') return
  const rest = (object: ApiObject) =>
    JSON.stringify(sorted({ ...object.spec, schedulingGates: [] }))
  const gates = (object: ApiObject) => (asPod(object).spec.schedulingGates ?? []).length
  if (rest(old) !== rest(given) || gates(given) > gates(old)) {
    throw invalid(kind, name, 'spec: Forbidden: pod updates may not change fields other than some')
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
