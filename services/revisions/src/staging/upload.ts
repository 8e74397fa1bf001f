import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { stagedPrefix } from '../domain/object-keys.js'
import { storageExceeded, tooLarge } from '../errors.js'
import { insertUpload, moveUpload } from '../queries/uploads.js'
import { hashPieces } from './hash-pieces.js'
import { removeStaged, settleUpload } from './settle.js'
import { createStoreQueue } from './store-queue.js'

export type StagedObject = { key: string; digest: string; size: bigint }

/** The objects that one call stages. Their keys begin with `stagedPrefix`. */
export type Upload = {
  id: string
  /**
   * Hashes one object while it streams to the store. A small object is buffered in memory until `flush`,
   * or, after many others, stored while the next one comes in.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedObject>
  /** Adds an object that is in the right storage already. Its owner removes it unless it is committed. */
  adopt(object: StagedObject): StagedObject
  /** The resumable uploads whose bytes are in this one. The commit ends them. */
  uses: string[]
  /**
   * Sets the storage if it is not the default one. `flush` moves the objects that are stored already.
   * Called at most once.
   */
  moveTo(storage: string): Promise<void>
  /** The storage of the objects after `flush`. */
  storage(): string
  /**
   * Stores the buffered objects, and waits until all objects are in the right storage. Throws if one is
   * not.
   */
  flush(): Promise<void>
  /** Refuses more bytes than that, including those so far. Undefined means no limit. */
  limit(bytesLeft: bigint | undefined): void
  /**
   * Whether the upload has a row. It is inserted before the first object that is stored ahead of the
   * commit.
   */
  hasRow(): boolean
  /**
   * Removes the staged objects that no blob has. True if nothing was or will be committed from this upload.
   * Never throws: a failure is retried by `settleOrphans`. Without a row it is unknown whether stored
   * objects were committed. They stay for `collect`, unless `removeUncommitted` is called.
   */
  discard(): Promise<boolean>
  /** For a commit that the database has refused. Never throws. */
  removeUncommitted(): Promise<void>
  /** Removes the staged copies of bytes that were stored already. Never throws. */
  removeLeftovers(): Promise<void>
  /** Must be called at the end. */
  close(): void
}

/**
 * At most `bufferedBytesMax` bytes are buffered in memory until `flush`, which must be called right before
 * the commit.
 */
export function openUpload(ctx: Ctx, bufferedBytesMax: number): Upload {
  const id = ctx.newOrderedId()
  const keys: string[] = []
  /** Those of the keys that are not stored yet. */
  const buffered = new Map<string, Uint8Array>()
  let bufferedBytes = 0
  /** Keys that were stored before the storage was known. */
  let misplaced: string[] = []
  let storage = defaultStorage
  const queue = createStoreQueue()
  let total = 0
  let hasRow = false
  let left: bigint | undefined

  const check = () => {
    if (total > ctx.cfg.uploadBytesMax) throw tooLarge(ctx.cfg.uploadBytesMax)
    if (left !== undefined && total > left) throw storageExceeded(left)
  }

  async function insertRow() {
    if (hasRow) return
    ctx.stagingProcess.active.add(id)
    const storageOrNull = storage === defaultStorage ? null : storage
    await insertUpload(ctx.db, { id, instance: ctx.stagingProcess.number, storage: storageOrNull })
    hasRow = true
  }

  async function* bounded(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      total += chunk.length
      check()
      yield chunk
    }
  }

  /** Removes the objects that no blob has, after the commit. */
  async function removeUnclaimed() {
    try {
      if (hasRow) await settleUpload(ctx, id, keys)
      else await removeStaged(ctx, id, storage, keys)
    } catch (err) {
      ctx.log.error({ err, upload: id }, 'staged object cleanup failed; it is retried later')
    }
  }

  return {
    id,
    uses: [],
    hasRow: () => hasRow,
    limit(bytesLeft) {
      left = bytesLeft
      check()
    },
    async stage(bytes) {
      const key = `${stagedPrefix(id)}${keys.length}`
      keys.push(key)
      const hashBuffer = await ctx.hashBuffers.acquire()
      const { hash, buffer } = hashBuffer
      let isAcquired = true
      const release = () => ctx.hashBuffers.release(hashBuffer)
      try {
        const { pieces, size } = hashPieces(bounded(bytes), hashBuffer)
        const { value: first = nothing } = await pieces.next()
        // A piece that does not fill the buffer is the last.
        const isWhole = first.length < buffer.length
        if (isWhole && bufferedBytes + first.length <= bufferedBytesMax) {
          buffered.set(key, Buffer.from(first))
          bufferedBytes += first.length
          return { key, digest: await hash.digest(), size: size() }
        }
        await insertRow()
        const objects = ctx.stores.of(storage)
        if (isWhole) {
          const staged = { key, digest: await hash.digest(), size: size() }
          const store = () => objects.put(key, prepend(first)).finally(release)
          isAcquired = false
          await queue.add(store)
          return staged
        }
        await objects.put(key, prepend(first, pieces))
        return { key, digest: await hash.digest(), size: size() }
      } finally {
        if (isAcquired) release()
      }
    },
    adopt(object) {
      total += Number(object.size)
      check()
      return object
    },
    async moveTo(next) {
      if (next === storage) return
      misplaced = keys.filter((key) => !buffered.has(key))
      storage = next
      if (hasRow) await moveUpload(ctx.db, id, storage)
    },
    storage: () => storage,
    async flush() {
      await queue.drained()
      const from = ctx.stores.of(defaultStorage)
      for (let key = misplaced.pop(); key !== undefined; key = misplaced.pop()) {
        await ctx.stores.of(storage).put(key, from.get(key))
        await from.delete([key])
      }
      // Objects in storages of users need a row.
      if (storage !== defaultStorage && buffered.size > 0) await insertRow()
      const objects = ctx.stores.of(storage)
      for (const [key, bytes] of buffered) await queue.add(() => objects.put(key, prepend(bytes)))
      buffered.clear()
      await queue.drained()
    },
    async discard() {
      if (!hasRow) return true
      await queue.settled()
      try {
        return (await settleUpload(ctx, id, keys)) === 'discarded'
      } catch (err) {
        ctx.log.error({ err, upload: id }, 'settling an upload failed; it is retried later')
        return false
      }
    },
    async removeUncommitted() {
      if (!hasRow) await removeUnclaimed()
    },
    removeLeftovers: removeUnclaimed,
    close: () => void ctx.stagingProcess.active.delete(id),
  }
}

const nothing = new Uint8Array()

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array> | Iterable<never> = []) {
  yield first
  yield* rest
}
