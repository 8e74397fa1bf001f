import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkStore,
  createOutboundAgent,
  createS3Store,
  type Keys,
  newId,
  type ObjectStore,
  type S3Limits,
  StorageUnavailable,
  seal,
  unseal,
} from '@figbase/kit'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/schema.js'
import type { StorageParams } from '../domain/storage-params.js'
import { findStorage, type Place, type StorageRow } from '../queries/storages.js'
import { contextOf, storageKeyPurpose } from './sealed-secrets.js'

export type CustomSettings = {
  /** What the vendor `aws` means on this installation. Without an endpoint AWS itself; without keys nothing. */
  aws: { endpoint: string; region: string; accessKey: string; secretKey: string }
  /** The bucket of the installation's own storage, if it is in one. */
  own: { endpoint: string; bucket: string } | undefined
  /** Hosts that may be on private addresses. */
  hostsAllowed: string[]
  limits: S3Limits
}

/** Where a storage is, and by which keys it is reached. */
export type Reached = Pick<
  StorageParams,
  'vendor' | 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKey' | 'secretKey'
>

/** Storage that is not ours. */
export type CustomStores = {
  /** The store of a row of `storage`; the database is asked when it is used. */
  of(id: string): ObjectStore
  /** Whether it is the installation's own bucket. */
  isOwn(storage: Reached): boolean
  /** Throws StorageUnavailable unless a small object can be stored, read and deleted in that time. */
  check(storage: Reached, timeoutMs: number): Promise<void>
  sealed(secretKey: string, place: Place): Buffer
  /** The secret key; empty for the vendor `aws`. */
  unsealed(row: StorageRow): string
}

type Opened = { store: ObjectStore; version: number; readOn: number }

const awsEndpoint = 'https://s3.amazonaws.com'
const openedMax = 1000
/** What another process changes is seen here after so long. */
const rememberedMs = 1000
/** After a storage did not answer, so long it is not asked again: every one who asks would have to wait. */
const awayMs = 2000

export function createCustomStores(
  db: Db,
  keys: Keys,
  { aws, own, hostsAllowed, limits }: CustomSettings,
): CustomStores {
  const opened = new LRUCache<string, Opened>({ max: openedMax })
  const away = new LRUCache<string, StorageUnavailable>({ max: openedMax, ttl: awayMs })
  const ring = keys.derive(storageKeyPurpose)
  const allowed = aws.endpoint ? [...hostsAllowed, new URL(aws.endpoint).host] : hostsAllowed
  const newAgent = (url: string) => createOutboundAgent(url, allowed)
  const agents = { http: newAgent('http:'), https: newAgent('https:') }

  const endpointOf = ({ vendor, endpoint }: Reached) =>
    (vendor === 'aws' ? aws.endpoint : endpoint) || awsEndpoint

  function optionsOf(storage: Reached, id: string) {
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
    const failure = away.get(id)
    if (failure) throw failure
    const known = opened.get(id)
    const readOn = performance.now()
    if (known && readOn - known.readOn < rememberedMs) return known.store
    const row = await findStorage(db, id)
    if (!row) throw new Error(`there is no storage ${id}`)
    const { version, access_key: accessKey } = row
    const store =
      known?.version === version
        ? known.store
        : createS3Store(optionsOf({ ...row, accessKey, secretKey: unsealed(row) }, id))
    opened.set(id, { store, version, readOn })
    return store
  }

  function note(id: string, error: unknown): never {
    if (error instanceof StorageUnavailable && error.problem === 'endpoint') away.set(id, error)
    throw error
  }

  async function ask(id: string, request: (store: ObjectStore) => Promise<void>) {
    const store = await open(id)
    await request(store).catch((error: unknown) => note(id, error))
  }

  async function* read<T>(id: string, request: (store: ObjectStore) => AsyncIterable<T>) {
    const store = await open(id)
    try {
      yield* request(store)
    } catch (error) {
      note(id, error)
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
      const isThere = serverOf(own.endpoint) === serverOf(endpointOf(storage))
      return isThere && own.bucket === storage.bucket
    },
    async check(storage, timeoutMs) {
      const options = optionsOf(storage, `figbase-check-${newId()}`)
      const agent = newAgent(options.endpoint)
      const timeouts = { connectTimeoutMs: timeoutMs, silenceTimeoutMs: timeoutMs }
      const store = createS3Store({ ...options, ...timeouts, attemptsMax: 1, agent })
      const ended = new AbortController()
      const late = sleep(timeoutMs, undefined, { signal: ended.signal }).then(
        () => Promise.reject(new StorageUnavailable('endpoint', `no end within ${timeoutMs} ms`)),
        () => {},
      )
      try {
        await Promise.race([checkStore(store), late])
      } finally {
        ended.abort()
        // Also what is still under way.
        agent.destroy()
      }
    },
    sealed: (secretKey, place) => seal(ring, secretKey, contextOf(place)),
    unsealed,
  }
}

/** Each storage has a folder of its own, whatever else is in the bucket. */
export const folderOf = ({ prefix, id }: Pick<StorageRow, 'prefix' | 'id'>): string =>
  prefix ? `${prefix}/${id}` : id

/** AWS has many addresses, and one namespace of buckets. */
function serverOf(endpoint: string) {
  const { host } = new URL(endpoint)
  return host.endsWith('.amazonaws.com') ? awsEndpoint : host
}
