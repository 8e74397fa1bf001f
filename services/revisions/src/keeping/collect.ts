import { type Deletions, openDeletions } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { ownerOf, prefixes } from '../domain/object-keys.js'
import { deleteDeadBlobs, listDeadBlobs } from '../queries/blobs.js'
import { listHeldStorages } from '../queries/held-storages.js'
import { listAbandoned, listStaleThumbnails, type OwnedKey } from '../queries/objects.js'
import { lockRevision } from '../queries/revisions.js'
import { inBatches } from './batches.js'
import { listStorages } from './storages.js'

/** What checking and cleaning need of the service. */
export type Keeping = Pick<Ctx, 'db' | 'database' | 'transact' | 'write' | 'stores' | 'log'>

export type Collected = {
  storage: string
  /** Objects of blobs that nothing refers to any more. */
  blobs: { objects: number; bytes: number }
  /** Objects that no row knows. */
  orphans: { objects: number; bytes: number }
  /** Nothing is deleted in it (`holdStorages`). */
  isHeld: boolean
  /** Why the rest of this storage was left. */
  failure?: string
}

export type CollectOptions = {
  /** How long an object is left alone since it is nobody's, in milliseconds. */
  graceMs: number
  signal?: AbortSignal
}

const batch = 500

/**
 * Removes the objects that are nobody's, in every storage. May run at any time, and more than once at a time:
 * what is removed can not become somebody's again. While a backup is made it waits.
 */
export async function collect(keeping: Keeping, options: CollectOptions): Promise<Collected[]> {
  const { signal } = options
  await using deletions = await openDeletions(keeping.database, signal)
  const all: Collected[] = []
  const held = await listHeldStorages(keeping.db)
  for (const storage of await listStorages(keeping.db)) {
    const none = { objects: 0, bytes: 0 }
    const isHeld = held.has(storage)
    const collected: Collected = { storage, blobs: { ...none }, orphans: { ...none }, isHeld }
    all.push(collected)
    if (isHeld) continue
    try {
      await collectBlobs(keeping, deletions, collected, options)
      await collectOrphans(keeping, deletions, collected, options)
      // Our own is swept at each start.
      if (storage !== defaultStorage) await keeping.stores.of(storage).sweep()
    } catch (err) {
      signal?.throwIfAborted()
      collected.failure = err instanceof Error ? err.message : String(err)
      keeping.log.error({ err, storage }, 'a storage was not collected to the end')
    }
  }
  return all
}

/** The objects first: a row that is left says that there may be one. */
async function collectBlobs(
  { db, write, stores }: Keeping,
  deletions: Deletions,
  { storage, blobs }: Collected,
  { graceMs, signal }: CollectOptions,
): Promise<void> {
  for (let found = batch; found === batch; ) {
    signal?.throwIfAborted()
    const dead = await deletions.run(async () => {
      const dead = await listDeadBlobs(db, storage, graceMs, batch)
      if (dead.length === 0) return dead
      await stores.of(storage).delete(dead.map(({ key }) => key))
      const ids = dead.map(({ id }) => id)
      await write((db) => deleteDeadBlobs(db, ids))
      return dead
    })
    found = dead.length
    blobs.objects += found
    for (const { size_bytes } of dead) blobs.bytes += Number(size_bytes)
  }
}

async function collectOrphans(
  keeping: Keeping,
  deletions: Deletions,
  { storage, orphans }: Collected,
  { graceMs, signal }: CollectOptions,
): Promise<void> {
  const { db, stores } = keeping
  const store = stores.of(storage)
  const before = Date.now() - graceMs
  for (const prefix of prefixes) {
    for await (const objects of inBatches(store.list(prefix), batch)) {
      signal?.throwIfAborted()
      const old = objects.filter(({ modifiedOn }) => modifiedOn.getTime() <= before)
      const keys = old.flatMap(({ key }): OwnedKey[] => {
        const owner = ownerOf(key)
        return owner ? [{ key, owner }] : []
      })
      const removed = await deletions.run(async () => {
        const abandoned = await listAbandoned(db, storage, keys)
        if (abandoned.length > 0) await store.delete(abandoned)
        if (storage !== defaultStorage) return abandoned
        return [...abandoned, ...(await removeStaleThumbnails(keeping, keys))]
      })
      const gone = new Set(removed)
      orphans.objects += gone.size
      for (const { key, sizeBytes } of old) if (gone.has(key)) orphans.bytes += sizeBytes
    }
  }
}

/** Under the lock of the revision, so that none of them is made anew meanwhile. */
async function removeStaleThumbnails(
  { db, transact, stores }: Keeping,
  keys: OwnedKey[],
): Promise<string[]> {
  const removed: string[] = []
  const stale = await listStaleThumbnails(db, keys)
  for (const id of new Set(stale.map(({ revision_id }) => revision_id))) {
    const own = keys.filter(({ owner }) => owner.id === id)
    await transact(async (tx) => {
      await lockRevision(tx, id)
      const still = (await listStaleThumbnails(tx, own)).map(({ key }) => key)
      await stores.of(defaultStorage).delete(still)
      removed.push(...still)
    })
  }
  return removed
}
