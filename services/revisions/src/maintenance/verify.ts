import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectNotFound, type ObjectStore } from '@figbase/kit/objects'
import { createBLAKE3, type IHasher } from 'hash-wasm'
import { isLive, type LiveBlob, listLiveBlobs } from '../queries/fsck.js'
import type { Maintenance } from './collect.js'
import type { CheckedStorage, Fsck } from './fsck.js'
import { describeOwners } from './owners.js'

const batch = 100
const first = '00000000-0000-0000-0000-000000000000'

/** Reads all live blobs of a storage and compares their digests. */
export async function verify(
  maintenance: Maintenance,
  checked: CheckedStorage,
  { findings }: Fsck,
  { bytesPerSecond }: { bytesPerSecond: number },
  signal?: AbortSignal,
): Promise<void> {
  const { db } = maintenance
  const { storage } = checked
  const pace = createPace(bytesPerSecond, signal)
  const hasher = await createBLAKE3()
  // Objects that are reported already as missing or as having the wrong size.
  const known = new Set(findings.filter((one) => one.storage === storage).map(({ key }) => key))
  for (let after = first; ; ) {
    const blobs = await listLiveBlobs(db, storage, after, batch)
    for (const blob of blobs) {
      if (known.has(blob.key)) continue
      const digest = await digestOf(maintenance.stores.of(storage), blob, hasher.init(), pace)
      checked.verified++
      // Undefined: the object was collected meanwhile.
      if (digest === undefined || digest === blob.digest) continue
      if (!(await isLive(db, blob.id))) continue
      const owners = await describeOwners(db, blob.id)
      const text = `object ${blob.key} is corrupt: its digest does not match (${owners})`
      findings.push({ kind: 'damaged', storage, key: blob.key, text })
    }
    const last = blobs.at(-1)
    if (!last || blobs.length < batch) return
    after = last.id
  }
}

type Pace = (bytes: number) => Promise<void>

async function digestOf(store: ObjectStore, { key }: LiveBlob, hasher: IHasher, pace: Pace) {
  try {
    for await (const chunk of store.get(key)) {
      hasher.update(chunk)
      await pace(chunk.length)
    }
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined
    throw error
  }
  return hasher.digest('hex')
}

/** Sleeps as long as needed to keep the rate. */
function createPace(bytesPerSecond: number, signal?: AbortSignal): Pace {
  const began = performance.now()
  let total = 0
  return async (bytes) => {
    signal?.throwIfAborted()
    total += bytes
    const aheadMs = (total / bytesPerSecond) * 1000 - (performance.now() - began)
    if (aheadMs > 0) await sleep(aheadMs, undefined, { signal })
  }
}
