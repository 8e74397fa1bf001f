import { type Deletions, openDeletions } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { ownerOf, prefixes } from '../domain/object-keys.js'
import { deleteDeadBlobs, listDeadBlobs } from '../queries/blobs.js'
import { listAbandoned, listStaleThumbnails, type OwnedKey } from '../queries/objects.js'
import { listProtectedStorages } from '../queries/protected-storages.js'
import { lockRevision } from '../queries/revisions.js'
import { inBatches } from './batches.js'
import { listStorages } from './storages.js'

/** What fsck and collect need of the service. */
export type Maintenance = Pick<Ctx, 'db' | 'database' | 'transact' | 'write' | 'stores' | 'log'>

export type Collected = {
  storage: string
  /** Objects of blobs without references. */
  blobs: { objects: number; bytes: number }
  /** Objects that belong to no row. */
  orphans: { objects: number; bytes: number }
  /** Nothing is deleted in this storage (`protectStorages`). */
  isHeld: boolean
  /** Why the rest of this storage was skipped. */
  failure?: string
}

export type CollectOptions = {
  /** How long an object is kept after its last reference is gone, in milliseconds. */
  graceMs: number
  signal?: AbortSignal
}

const batch = 500

/**
 * Removes the objects that nothing refers to, in every storage. It may run at any time, also concurrently:
 * a removed object can never be referred to again. It waits while a backup is made.
 */
export async function collect(
  maintenance: Maintenance,
  options: CollectOptions,
): Promise<Collected[]> {
  const { signal } = options
  await using deletions = await openDeletions(maintenance.database, signal)
  const all: Collected[] = []
  const protectedStorages = await listProtectedStorages(maintenance.db)
  for (const storage of await listStorages(maintenance.db)) {
    const none = { objects: 0, bytes: 0 }
    const isHeld = protectedStorages.has(storage)
    const collected: Collected = { storage, blobs: { ...none }, orphans: { ...none }, isHeld }
    all.push(collected)
    if (isHeld) continue
    try {
      await collectBlobs(maintenance, deletions, collected, options)
      await collectOrphans(maintenance, deletions, collected, options)
      // The default storage is swept at each start.
      if (storage !== defaultStorage) await maintenance.stores.of(storage).sweep()
    } catch (err) {
      signal?.throwIfAborted()
      collected.failure = err instanceof Error ? err.message : String(err)
      maintenance.log.error({ err, storage }, 'garbage collection of a storage failed')
    }
  }
  return all
}

/** Deletes the objects before their rows, so that an interrupted run leaves a row to find the object by. */
async function collectBlobs(
  { db, write, stores }: Maintenance,
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
  maintenance: Maintenance,
  deletions: Deletions,
  { storage, orphans }: Collected,
  { graceMs, signal }: CollectOptions,
): Promise<void> {
  const { db, stores } = maintenance
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
        return [...abandoned, ...(await removeStaleThumbnails(maintenance, keys))]
      })
      const gone = new Set(removed)
      orphans.objects += gone.size
      for (const { key, sizeBytes } of old) if (gone.has(key)) orphans.bytes += sizeBytes
    }
  }
}

/** Under the lock of the revision, so that its thumbnails are not created again meanwhile. */
async function removeStaleThumbnails(
  { db, transact, stores }: Maintenance,
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
