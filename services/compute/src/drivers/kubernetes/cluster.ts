import { ApiError, isStatus } from './api-error.js'
import type { Credentials } from './credentials.js'
import { selector } from './names.js'
import { type Kind, type Manifest, paths, type Stored } from './objects.js'
import { type ApiRequest, send, sendForLines } from './request.js'

/** The objects of a namespace. Writes reject with an ApiError 409 if the object is another one than was read. */
export type Cluster = {
  namespace: string
  /** With `isTrial`, all is checked, and nothing is created. */
  create<K extends Kind>(
    manifest: Manifest<K>,
    signal: AbortSignal,
    isTrial?: boolean,
  ): Promise<Stored<K>>
  find<K extends Kind>(kind: K, name: string, signal: AbortSignal): Promise<Stored<K> | undefined>
  /** All of ours, at one time during the call, and the clock of the API server before it. */
  list<K extends Kind>(kind: K, signal: AbortSignal): Promise<{ items: Stored<K>[]; at: Date }>
  replace<K extends Kind>(kind: K, object: Stored<K>, signal: AbortSignal): Promise<Stored<K>>
  /** Merges `changes` into the object as it was read. */
  patch<K extends Kind>(
    kind: K,
    object: Stored<K>,
    changes: object,
    signal: AbortSignal,
  ): Promise<Stored<K>>
  /** Nothing happens if it does not exist any more. `isExact`: only if it has not changed, either. */
  delete<K extends Kind>(
    kind: K,
    object: Stored<K>,
    signal: AbortSignal,
    isExact?: boolean,
  ): Promise<void>
  /** What the API server knows of the use of a pod; undefined if it does not. */
  findUsage(pod: string, signal: AbortSignal): Promise<unknown>
  /** The version of our pods as of now: a watch may begin there. */
  versionOfPods(signal: AbortSignal): Promise<string>
  /** The events of our pods since a version, as lines of JSON. */
  watchPods(version: string, signal: AbortSignal, timeoutMs: number): AsyncGenerator<string>
}

const pageSize = 500
/** A list whose pages expired is begun again. */
const listAttempts = 3

type List = { items?: unknown[]; metadata?: { continue?: string; resourceVersion?: string } }

export function openCluster(credentials: Credentials, namespace: string): Cluster {
  const pathOf = (kind: Kind, name?: string) => {
    const { group, plural } = paths[kind]
    return `${group}/namespaces/${namespace}/${plural}${name ? `/${name}` : ''}`
  }
  const call = async (request: ApiRequest, signal: AbortSignal) =>
    send(await credentials.target(), request, signal)
  const changing = (request: ApiRequest, signal: AbortSignal) =>
    call(request, signal).catch((error: unknown) => {
      if (isStatus(error, 404)) throw new ApiError(409, 'Conflict', error.message)
      throw error
    })
  const labelSelector = selector

  async function listOnce(kind: Kind, signal: AbortSignal) {
    const items: unknown[] = []
    let at: Date | undefined
    for (let token = ''; ; ) {
      // Without a version: what the API server sends is not older than the request.
      const query = { labelSelector, limit: `${pageSize}`, ...(token && { continue: token }) }
      const response = await call({ method: 'GET', path: pathOf(kind), query }, signal)
      const list = response.body as List
      at ??= response.at
      items.push(...(list.items ?? []))
      token = list.metadata?.continue ?? ''
      if (!token) return { items, at }
    }
  }

  return {
    namespace,

    async create(manifest, signal, isTrial = false) {
      const apiVersion = paths[manifest.kind].group.replace(/^apis?\//, '')
      const query: Record<string, string> = isTrial ? { dryRun: 'All' } : {}
      const body = { apiVersion, ...manifest }
      const request = { method: 'POST', path: pathOf(manifest.kind), query, body } as const
      return (await call(request, signal)).body as never
    },

    async find(kind, name, signal) {
      try {
        return (await call({ method: 'GET', path: pathOf(kind, name) }, signal)).body as never
      } catch (error) {
        if (isStatus(error, 404)) return undefined
        throw error
      }
    },

    async list(kind, signal) {
      for (let attempt = 1; ; attempt++) {
        try {
          return (await listOnce(kind, signal)) as never
        } catch (error) {
          if (!isStatus(error, 410) || attempt >= listAttempts) throw error
        }
      }
    },

    async replace(kind, object, signal) {
      const path = pathOf(kind, object.metadata.name)
      return (await changing({ method: 'PUT', path, body: object }, signal)).body as never
    },

    async patch(kind, { metadata }, changes, signal) {
      const { name, resourceVersion } = metadata
      const changed = changes as { metadata?: object }
      const body = { ...changed, metadata: { ...changed.metadata, resourceVersion } }
      const contentType = 'application/merge-patch+json'
      const request = { method: 'PATCH', path: pathOf(kind, name), body, contentType } as const
      return (await changing(request, signal)).body as never
    },

    async delete(kind, { metadata }, signal, isExact = false) {
      const { name, uid, resourceVersion } = metadata
      const preconditions = { uid, ...(isExact && { resourceVersion }) }
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions }
      try {
        await call({ method: 'DELETE', path: pathOf(kind, name), body }, signal)
      } catch (error) {
        if (!isStatus(error, 404)) throw error
      }
    },

    async findUsage(pod, signal) {
      const path = `apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods/${pod}`
      const response = await call({ method: 'GET', path }, signal).catch(() => undefined)
      return response?.body
    },

    async versionOfPods(signal) {
      const query = { labelSelector, limit: '1' }
      const { body } = await call({ method: 'GET', path: pathOf('Pod'), query }, signal)
      return (body as List).metadata?.resourceVersion ?? ''
    },

    async *watchPods(resourceVersion, signal, timeoutMs) {
      const query = {
        watch: 'true',
        labelSelector,
        resourceVersion,
        allowWatchBookmarks: 'true',
        timeoutSeconds: `${Math.ceil(timeoutMs / 1000)}`,
      }
      const request = { method: 'GET', path: pathOf('Pod'), query } as const
      yield* sendForLines(await credentials.target(), request, signal, 2 * timeoutMs)
    },
  }
}
