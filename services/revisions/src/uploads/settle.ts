import { mayDelete } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { segmentPrefix } from '../domain/object-keys.js'
import { listBlobKeys } from '../queries/blobs.js'
import { deleteEnded, endExpired, listEnded } from '../queries/resumable-uploads.js'

type Needed = Pick<Ctx, 'db' | 'objects' | 'transact' | 'appending'>

/**
 * Removes what an upload that has ended stored and no blob has taken over, then its row, unless a
 * call still appends: that settles it once more.
 */
export async function settleResumable(ctx: Needed, id: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of ctx.objects.list(segmentPrefix(id))) keys.push(key)
  const kept = new Set(await listBlobKeys(ctx.db, defaultStorage, keys))
  await ctx.transact(async (tx) => {
    // A backup may have the row as it was before: it comes round again.
    if (!(await mayDelete(tx))) return
    await ctx.objects.delete(keys.filter((key) => !kept.has(key)))
    await deleteEnded(tx, id, ctx.appending.appender())
  })
}

/** Ends what has expired, and removes all that has ended. */
export async function settleAllResumable(ctx: Needed, signal?: AbortSignal): Promise<void> {
  await endExpired(ctx.db, ctx.appending.appender())
  for (const id of await listEnded(ctx.db)) {
    signal?.throwIfAborted()
    await settleResumable(ctx, id)
  }
}

/** For the end of a call: what fails here is done again by `settleAllResumable`. */
export async function settleQuietly(ctx: Needed & Pick<Ctx, 'log'>, ids: string[]): Promise<void> {
  for (const id of ids) {
    await settleResumable(ctx, id).catch((err: unknown) => {
      ctx.log.warn({ err, upload: id }, 'an upload that has ended is removed later')
    })
  }
}
