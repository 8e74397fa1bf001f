import type { Ctx } from '../context.js'
import { storageExceeded, tooLarge } from '../errors.js'
import { insertUpload, moveUpload } from '../queries/uploads.js'
import { defaultStorage } from '../stores/stores.js'
import { hashed } from './hashed.js'
import { settleUpload, stagedPrefix } from './settle.js'
import { createStoring } from './storing.js'

export type StagedObject = { key: string; digest: string; size: bigint }

/** The objects that one call stages under keys that begin with `stagedPrefix`. */
export type Upload = {
  id: string
  /**
   * Streams one object to the store, hashing it on the way. Of a small one, the answer comes before it
   * is stored.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedObject>
  /** Takes an object that is stored where these belong, and that somebody else removes unless it is committed. */
  adopt(object: StagedObject): StagedObject
  /** The resumable uploads whose bytes are among these: the commit ends them. */
  uses: string[]
  /** The storage where they belong, if it is not the default; those that are staged already follow. Once. */
  to(storage: string): Promise<void>
  /** Where they are, once all of them are stored. */
  storage(): string
  /** When all of them are stored, and where they belong; throws when one is not. */
  stored(): Promise<void>
  /** Refuses what goes beyond that, also of what has come already; undefined does not limit. */
  limit(bytesLeft: bigint | undefined): void
  /** Whether a row speaks of this upload: not before its first object. */
  begun(): boolean
  /**
   * Removes what was staged and is nobody's. True: nothing was or will be committed. Never throws:
   * what fails here is done again with the orphans.
   */
  discard(): Promise<boolean>
  /** To be called last, whatever happened. */
  end(): void
}

export function openUpload(ctx: Ctx): Upload {
  const id = ctx.newOrderedId()
  const keys: string[] = []
  /** Of these, those that were staged before it was known where they belong. */
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

  return {
    id,
    uses: [],
    begun: () => begun,
    limit(bytesLeft) {
      left = bytesLeft
      check()
    },
    async stage(bytes) {
      await begin()
      const key = `${stagedPrefix(id)}${keys.length}`
      keys.push(key)
      const objects = ctx.stores.of(storage)
      const workspace = await ctx.workspaces.take()
      const { hash, buffer } = workspace
      let isLent = true
      const giveBack = () => ctx.workspaces.giveBack(workspace)
      try {
        const { pieces, size } = hashed(bounded(bytes), workspace)
        const { value: first = nothing } = await pieces.next()
        // A piece that does not fill the buffer is the last.
        if (first.length < buffer.length) {
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
      early = keys.slice()
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
