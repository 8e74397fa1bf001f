import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { stagedPrefix } from '../domain/object-keys.js'
import { storageExceeded, tooLarge } from '../errors.js'
import { insertUpload, moveUpload } from '../queries/uploads.js'
import { hashed } from './hashed.js'
import { removeStaged, settleUpload } from './settle.js'
import { createStoring } from './storing.js'

export type StagedObject = { key: string; digest: string; size: bigint }

/** The objects that one call stages under keys that begin with `stagedPrefix`. */
export type Upload = {
  id: string
  /**
   * Hashes one object, and streams it to the store on the way. A small one waits in memory for `stored`, or, beside
   * many others, is stored while the next one comes.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedObject>
  /** Takes an object that is stored where these belong, and that somebody else removes unless it is committed. */
  adopt(object: StagedObject): StagedObject
  /** The resumable uploads whose bytes are among these: the commit ends them. */
  uses: string[]
  /** The storage where they belong, if it is not the default; those that are stored already follow. Once. */
  to(storage: string): Promise<void>
  /** Where they are, once all of them are stored. */
  storage(): string
  /** Stores those that wait: when it ends, all are stored, and where they belong; throws when one is not. */
  stored(): Promise<void>
  /** Refuses what goes beyond that, also of what has come already; undefined does not limit. */
  limit(bytesLeft: bigint | undefined): void
  /** Whether a row speaks of this upload: from the first object on that is stored before the commit is certain. */
  begun(): boolean
  /**
   * Removes what was staged and is nobody's. True: nothing was or will be committed as this upload. Never throws:
   * what fails here is done again with the orphans. Without a row nobody knows whether objects that are stored are
   * a commit's: they stay, for `collect`, unless `removeUncommitted` was called.
   */
  discard(): Promise<boolean>
  /** To be called when the database has answered that nothing was committed. Never throws. */
  removeUncommitted(): Promise<void>
  /** Removes what the commit did not need, because the same bytes were stored already. Never throws. */
  removeLeftovers(): Promise<void>
  /** To be called last, whatever happened. */
  end(): void
}

/** `heldBytesMax`: so many bytes wait in memory until `stored`, which is to be called when nothing but the commit is left. */
export function openUpload(ctx: Ctx, heldBytesMax: number): Upload {
  const id = ctx.newOrderedId()
  const keys: string[] = []
  /** Of these, those that are not stored yet. */
  const held = new Map<string, Uint8Array>()
  let heldBytes = 0
  /** Those that were stored before it was known where they belong. */
  let early: string[] = []
  let storage = defaultStorage
  const storing = createStoring()
  let total = 0
  let begun = false
  let left: bigint | undefined

  const check = () => {
    if (total > ctx.cfg.uploadBytesMax) throw tooLarge(ctx.cfg.uploadBytesMax)
    if (left !== undefined && total > left) throw storageExceeded(left)
  }

  async function begin() {
    if (begun) return
    ctx.instance.active.add(id)
    const elsewhere = storage === defaultStorage ? null : storage
    await insertUpload(ctx.db, { id, instance: ctx.instance.number, storage: elsewhere })
    begun = true
  }

  async function* bounded(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      total += chunk.length
      check()
      yield chunk
    }
  }

  /** Objects that are no blob's, after the commit has ended. */
  async function removeUnclaimed() {
    try {
      if (begun) await settleUpload(ctx, id, keys)
      else await removeStaged(ctx, id, storage, keys)
    } catch (err) {
      ctx.log.error({ err, upload: id }, 'objects that nothing needs stay for now')
    }
  }

  return {
    id,
    uses: [],
    begun: () => begun,
    limit(bytesLeft) {
      left = bytesLeft
      check()
    },
    async stage(bytes) {
      const key = `${stagedPrefix(id)}${keys.length}`
      keys.push(key)
      const workspace = await ctx.workspaces.take()
      const { hash, buffer } = workspace
      let isLent = true
      const giveBack = () => ctx.workspaces.giveBack(workspace)
      try {
        const { pieces, size } = hashed(bounded(bytes), workspace)
        const { value: first = nothing } = await pieces.next()
        // A piece that does not fill the buffer is the last.
        const isWhole = first.length < buffer.length
        if (isWhole && heldBytes + first.length <= heldBytesMax) {
          held.set(key, Buffer.from(first))
          heldBytes += first.length
          return { key, digest: await hash.digest(), size: size() }
        }
        await begin()
        const objects = ctx.stores.of(storage)
        if (isWhole) {
          const staged = { key, digest: await hash.digest(), size: size() }
          const store = () => objects.put(key, oneAfter(first)).finally(giveBack)
          isLent = false
          await storing.add(store)
          return staged
        }
        await objects.put(key, oneAfter(first, pieces))
        return { key, digest: await hash.digest(), size: size() }
      } finally {
        if (isLent) giveBack()
      }
    },
    adopt(object) {
      total += Number(object.size)
      check()
      return object
    },
    async to(next) {
      if (next === storage) return
      early = keys.filter((key) => !held.has(key))
      storage = next
      if (begun) await moveUpload(ctx.db, id, storage)
    },
    storage: () => storage,
    async stored() {
      await storing.all()
      const from = ctx.stores.of(defaultStorage)
      for (let key = early.pop(); key !== undefined; key = early.pop()) {
        await ctx.stores.of(storage).put(key, from.get(key))
        await from.delete([key])
      }
      // What is stored where others store, too, has a row that says so.
      if (storage !== defaultStorage && held.size > 0) await begin()
      const objects = ctx.stores.of(storage)
      for (const [key, bytes] of held) await storing.add(() => objects.put(key, oneAfter(bytes)))
      held.clear()
      await storing.all()
    },
    async discard() {
      if (!begun) return true
      await storing.ended()
      try {
        return (await settleUpload(ctx, id, keys)) === 'discarded'
      } catch (err) {
        ctx.log.error({ err, upload: id }, 'an upload could not be settled')
        return false
      }
    },
    async removeUncommitted() {
      if (!begun) await removeUnclaimed()
    },
    removeLeftovers: removeUnclaimed,
    end: () => void ctx.instance.active.delete(id),
  }
}

const nothing = new Uint8Array()

async function* oneAfter(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array> | Iterable<never> = [],
) {
  yield first
  yield* rest
}
