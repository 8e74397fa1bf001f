import { ConfigError } from '../config/config.js'
import { newId } from '../ids.js'
import { TimedOut, withTimeout } from '../timing/with-timeout.js'
import {
  ObjectNotFound,
  type ObjectStore,
  type StorageProblem,
  StorageUnavailable,
} from './port.js'

/** Stores, reads and deletes a small object; throws StorageUnavailable, or any other error of the store. */
export async function checkStore(store: ObjectStore): Promise<void> {
  const key = `checks/${newId()}`
  const bytes = Buffer.from(key)
  await store.put(key, once(bytes))
  const isSame = bytes.equals(await readSome(store, key, bytes.length))
  await store.delete([key])
  if (!isSame) {
    throw new StorageUnavailable('endpoint', 'a stored object was read back with other content')
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** Reads an object only until it exceeds `bytesMax`. */
async function readSome(store: ObjectStore, key: string, bytesMax: number) {
  let read = Buffer.alloc(0)
  try {
    for await (const chunk of store.get(key)) {
      read = Buffer.concat([read, chunk])
      if (read.length > bytesMax) break
    }
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error
  }
  return read
}

const settings: Record<StorageProblem, string> = {
  endpoint: 'S3_ENDPOINT',
  region: 'S3_REGION',
  bucket: 'S3_BUCKET',
  access_key: 'S3_ACCESS_KEY',
  // Some servers report an unknown access key like this, too.
  secret_key: 'S3_SECRET_KEY or S3_ACCESS_KEY',
  unknown: 'S3_ENDPOINT, S3_BUCKET',
}

/** Checks the installation's own store at startup; throws a ConfigError that names the setting. */
export async function requireStore(store: ObjectStore, timeoutMs: number): Promise<void> {
  try {
    await withTimeout(timeoutMs, checkStore(store))
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof TimedOut)) throw error
    const setting = settings[error instanceof TimedOut ? 'endpoint' : error.problem]
    const message = `${setting}: object store unavailable: ${error.message}`
    throw new ConfigError(message, { cause: error })
  }
}

/** Whether the store responds to a request for a missing object. */
export async function isStoreAvailable(store: ObjectStore): Promise<boolean> {
  try {
    for await (const _ of store.get('checks/none')) break
    return true
  } catch (error) {
    return error instanceof ObjectNotFound
  }
}
