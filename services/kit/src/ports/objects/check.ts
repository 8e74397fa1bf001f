import { ConfigError } from '../../config.js'
import { newId } from '../../ids.js'
import { inTime, Late } from '../../in-time.js'
import { ObjectMissing, type ObjectStore, type StorageProblem, StorageUnavailable } from './port.js'

/** Stores a small object, reads it and removes it; throws StorageUnavailable, or what else the store throws. */
export async function checkStore(store: ObjectStore): Promise<void> {
  const key = `checks/${newId()}`
  const bytes = Buffer.from(key)
  await store.put(key, once(bytes))
  const isSame = bytes.equals(await readSome(store, key, bytes.length))
  await store.delete([key])
  if (!isSame) {
    throw new StorageUnavailable('endpoint', 'an object does not come back as it was stored')
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** No more than what shows that it is longer. */
async function readSome(store: ObjectStore, key: string, bytesMax: number) {
  let read = Buffer.alloc(0)
  try {
    for await (const chunk of store.get(key)) {
      read = Buffer.concat([read, chunk])
      if (read.length > bytesMax) break
    }
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
  return read
}

const settings: Record<StorageProblem, string> = {
  endpoint: 'S3_ENDPOINT',
  region: 'S3_REGION',
  bucket: 'S3_BUCKET',
  access_key: 'S3_ACCESS_KEY',
  // Some servers say that of an unknown access key, too.
  secret_key: 'S3_SECRET_KEY or S3_ACCESS_KEY',
  unknown: 'S3_ENDPOINT, S3_BUCKET',
}

/** For a start: what is wrong with the installation's own store, by the setting that is to blame. */
export async function requireStore(store: ObjectStore, timeoutMs: number): Promise<void> {
  try {
    await inTime(timeoutMs, checkStore(store))
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof Late)) throw error
    const setting = settings[error instanceof Late ? 'endpoint' : error.problem]
    const message = `${setting}: the object store does not work: ${error.message}`
    throw new ConfigError(message, { cause: error })
  }
}

/** Whether the store answers: it is asked for an object that is not there. */
export async function isStoreThere(store: ObjectStore): Promise<boolean> {
  try {
    for await (const _ of store.get('checks/none')) break
    return true
  } catch (error) {
    return error instanceof ObjectMissing
  }
}
