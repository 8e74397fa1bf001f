import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectMissing, type ObjectStore } from '@figbase/kit'
import { createBLAKE3, type IHasher } from 'hash-wasm'
import { isLive, type LiveBlob, listLiveBlobs } from '../queries/fsck.js'
import type { Keeping } from './collect.js'
import type { CheckedStorage, Fsck } from './fsck.js'
import { whoseAre } from './whose.js'

const batch = 100
const first = '00000000-0000-0000-0000-000000000000'

/** Reads all live blobs of a storage, and compares their digests. */
export async function verify(
  keeping: Keeping,
  checked: CheckedStorage,
  { findings }: Fsck,
  { bytesPerSecond }: { bytesPerSecond: number },
  signal?: AbortSignal,
): Promise<void> {
  const { db } = keeping
  const { storage } = checked
  const pace = createPace(bytesPerSecond, signal)
  const hasher = await createBLAKE3()
  // Of which it was said already that they are not there, or of another size.
  const known = new Set(findings.filter((one) => one.storage === storage).map(({ key }) => key))
  for (let after = first; ; ) {
    const blobs = await listLiveBlobs(db, storage, after, batch)
    for (const blob of blobs) {
      if (known.has(blob.key)) continue
      const digest = await digestOf(keeping.stores.of(storage), blob, hasher.init(), pace)
      checked.verified++
      // Or collected meanwhile.
      if (digest === undefined || digest === blob.digest) continue
      if (!(await isLive(db, blob.id))) continue
      const whose = await whoseAre(db, blob.id)
      const text = `the bytes of the object ${blob.key} have changed: it is ${whose}`
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
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
  return hasher.digest('hex')
}

/** Waits as long as it takes that no more is read than that. */
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
