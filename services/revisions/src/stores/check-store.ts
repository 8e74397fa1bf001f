import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectMissing, type ObjectStore, StorageUnavailable } from '@figbase/kit'

const key = 'check'

/**
 * Stores, reads and deletes a small object. Throws StorageUnavailable when one of it fails, or all take longer
 * than that.
 */
export async function checkStore(store: ObjectStore, timeoutMs: number): Promise<void> {
  const inTime = new AbortController()
  const late = sleep(timeoutMs, undefined, { signal: inTime.signal }).then(() => {
    throw new StorageUnavailable('endpoint', `it took longer than ${timeoutMs} ms`)
  })
  try {
    await Promise.race([writeReadDelete(store), late])
  } finally {
    inTime.abort()
    late.catch(() => {})
  }
}

async function writeReadDelete(store: ObjectStore) {
  const written = randomBytes(1000)
  await store.put(key, once(written))
  const isRead = written.equals(await read(store, written.length))
  await store.delete([key])
  if (!isRead) throw new StorageUnavailable('unknown', 'what was written was read differently')
}

async function read(store: ObjectStore, bytesMax: number) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of store.get(key)) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bytesMax) break
    }
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
  return Buffer.concat(chunks)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
