import type { Ctx } from '../context.js'
import { gather } from '../domain/gather.js'
import { storageExceeded, tooLarge } from '../errors.js'
import { insertUpload } from '../queries/uploads.js'
import { settleUpload, stagedPrefix } from './settle.js'

export type StagedObject = { key: string; digest: string; size: bigint }

/** The objects that one call stages under keys that begin with `stagedPrefix`. */
export type Upload = {
  id: string
  /** Streams one object to the store, hashing it on the way. */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedObject>
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
    await insertUpload(ctx.db, { id, instance: ctx.instance.number })
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
    begun: () => begun,
    limit(bytesLeft) {
      left = bytesLeft
      check()
    },
    async stage(bytes) {
      await begin()
      const key = `${stagedPrefix(id)}${keys.length}`
      keys.push(key)
      return ctx.workspaces.use(async ({ hasher, buffer }) => {
        let size = 0
        async function* hashed() {
          for await (const piece of gather(bounded(bytes), buffer)) {
            size += piece.length
            hasher.update(piece)
            yield piece
          }
        }
        await ctx.objects.put(key, hashed())
        return { key, digest: hasher.digest('hex'), size: BigInt(size) }
      })
    },
    async discard() {
      if (!begun) return true
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
