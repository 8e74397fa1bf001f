import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@figbase/kit/ids'
import { type Keys, seal, unseal } from '@figbase/kit/keys'
import { createOutboundAgent } from '@figbase/kit/net'
import {
  checkStore,
  createS3Store,
  type ObjectStore,
  type S3Limits,
  StorageUnavailable,
} from '@figbase/kit/objects'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/schema.js'
import type { StorageParams } from '../domain/storage-params.js'
import { findStorage, type StorageLocation, type StorageRow } from '../queries/storages.js'
import { contextOf, storageKeyPurpose } from './sealed-secrets.js'

export type CustomSettings = {
  /**
   * The meaning of the vendor `aws` here. Without an endpoint it is AWS itself; without keys it is not
   * offered.
   */
  aws: { endpoint: string; region: string; accessKey: string; secretKey: string }
  /** The bucket of the installation itself, if it has one. */
  own: { endpoint: string; bucket: string } | undefined
  /** Hosts that may have private addresses. */
  hostsAllowed: string[]
  limits: S3Limits
}

/** The location of a storage, and its keys. */
export type StorageAccess = Pick<
  StorageParams,
  'vendor' | 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKey' | 'secretKey'
>

/** Storages that users bring. */
export type CustomStores = {
  /** The store of a row of `storage`. The row is read when the store is used. */
  of(id: string): ObjectStore
  /** Whether it is the bucket of the installation itself. */
  isOwn(storage: StorageAccess): boolean
  /** Throws StorageUnavailable unless a small object can be written, read and deleted within the timeout. */
  check(storage: StorageAccess, timeoutMs: number): Promise<void>
  sealed(secretKey: string, place: StorageLocation): Buffer
  /** The secret key; empty for the vendor `aws`. */
  unsealed(row: StorageRow): string
}

type Opened = { store: ObjectStore; version: number; readOn: number }

const awsEndpoint = 'https://s3.amazonaws.com'
const openedMax = 1000
/** Changes by other processes are seen after this time. */
const rowCacheMs = 1000
/**
 * A storage that did not answer is not asked again for this time, so that not every request waits for its
 * timeout.
 */
const unavailableMs = 2000

export function createCustomStores(
  db: Db,
  keys: Keys,
  { aws, own, hostsAllowed, limits }: CustomSettings,
): CustomStores {
  const opened = new LRUCache<string, Opened>({ max: openedMax })
  const unavailable = new LRUCache<string, StorageUnavailable>({
    max: openedMax,
    ttl: unavailableMs,
  })
  const ring = keys.derive(storageKeyPurpose)
  const allowed = aws.endpoint ? [...hostsAllowed, new URL(aws.endpoint).host] : hostsAllowed
  const newAgent = (url: string) => createOutboundAgent(url, allowed)
  const agents = { http: newAgent('http:'), https: newAgent('https:') }

  const endpointOf = ({ vendor, endpoint }: StorageAccess) =>
    (vendor === 'aws' ? aws.endpoint : endpoint) || awsEndpoint

  function optionsOf(storage: StorageAccess, id: string) {
    const { region, accessKey, secretKey } = storage.vendor === 'aws' ? aws : storage
    const { bucket, prefix } = storage
    const endpoint = endpointOf(storage)
    const where = { endpoint, region, bucket, prefix: folderOf({ prefix, id }) }
    const agent = endpoint.startsWith('https:') ? agents.https : agents.http
    return { ...limits, ...where, accessKey, secretKey, agent }
  }

  const unsealed = (row: StorageRow) =>
    row.vendor === 'aws' ? '' : unseal(ring, row.secret_sealed, contextOf(row))

  async function open(id: string): Promise<ObjectStore> {
    const failure = unavailable.get(id)
    if (failure) throw failure
    const known = opened.get(id)
    const readOn = performance.now()
    if (known && readOn - known.readOn < rowCacheMs) return known.store
    const row = await findStorage(db, id)
    if (!row) throw new Error(`unknown storage ${id}`)
    const { version, access_key: accessKey } = row
    const store =
      known?.version === version
        ? known.store
        : createS3Store(optionsOf({ ...row, accessKey, secretKey: unsealed(row) }, id))
    opened.set(id, { store, version, readOn })
    return store
  }

  function noteFailure(id: string, error: unknown): never {
    if (error instanceof StorageUnavailable && error.problem === 'endpoint')
      unavailable.set(id, error)
    throw error
  }

  async function ask(id: string, request: (store: ObjectStore) => Promise<void>) {
    const store = await open(id)
    await request(store).catch((error: unknown) => noteFailure(id, error))
  }

  async function* read<T>(id: string, request: (store: ObjectStore) => AsyncIterable<T>) {
    const store = await open(id)
    try {
      yield* request(store)
    } catch (error) {
      noteFailure(id, error)
    }
  }

  return {
    of: (id) => ({
      put: (name, bytes) => ask(id, (store) => store.put(name, bytes)),
      get: (name, range) => read(id, (store) => store.get(name, range)),
      delete: (names) => ask(id, (store) => store.delete(names)),
      sweep: () => ask(id, (store) => store.sweep()),
      list: (prefix) => read(id, (store) => store.list(prefix)),
    }),
    isOwn(storage) {
      if (!own) return false
      const exists = serverOf(own.endpoint) === serverOf(endpointOf(storage))
      return exists && own.bucket === storage.bucket
    },
    async check(storage, timeoutMs) {
      const options = optionsOf(storage, `figbase-check-${newId()}`)
      const agent = newAgent(options.endpoint)
      const timeouts = { connectTimeoutMs: timeoutMs, silenceTimeoutMs: timeoutMs }
      const store = createS3Store({ ...options, ...timeouts, attemptsMax: 1, agent })
      const ended = new AbortController()
      const timedOut = sleep(timeoutMs, undefined, { signal: ended.signal }).then(
        () => Promise.reject(new StorageUnavailable('endpoint', `timed out after ${timeoutMs} ms`)),
        () => {},
      )
      try {
        await Promise.race([checkStore(store), timedOut])
      } finally {
        ended.abort()
        // Also aborts pending requests.
        agent.destroy()
      }
    },
    sealed: (secretKey, place) => seal(ring, secretKey, contextOf(place)),
    unsealed,
  }
}

/** Each storage has a folder of its own, so that other objects in the bucket are never touched. */
export const folderOf = ({ prefix, id }: Pick<StorageRow, 'prefix' | 'id'>): string =>
  prefix ? `${prefix}/${id}` : id

/** AWS has many hosts, and one namespace of buckets. */
function serverOf(endpoint: string) {
  const { host } = new URL(endpoint)
  return host.endsWith('.amazonaws.com') ? awsEndpoint : host
}
