import { mayDelete } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { segmentPrefix } from '../domain/object-keys.js'
import { listBlobKeys } from '../queries/blobs.js'
import { deleteEnded, endExpired, listEnded } from '../queries/resumable-uploads.js'

type SettleCtx = Pick<Ctx, 'db' | 'objects' | 'transact' | 'appends'>

/**
 * Removes the objects of an ended upload that no blob has taken over, then its row. If a call still
 * appends, that call settles the upload again.
 */
export async function settleResumable(ctx: SettleCtx, id: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of ctx.objects.list(segmentPrefix(id))) keys.push(key)
  const kept = new Set(await listBlobKeys(ctx.db, defaultStorage, keys))
  await ctx.transact(async (tx) => {
    // A running backup may contain the row. It is removed later.
    if (!(await mayDelete(tx))) return
    await ctx.objects.delete(keys.filter((key) => !kept.has(key)))
    await deleteEnded(tx, id, ctx.appends.appender())
  })
}

/** Ends expired uploads, and removes ended ones. */
export async function settleAllResumable(ctx: SettleCtx, signal?: AbortSignal): Promise<void> {
  await endExpired(ctx.db, ctx.appends.appender())
  for (const id of await listEnded(ctx.db)) {
    signal?.throwIfAborted()
    await settleResumable(ctx, id)
  }
}

/** For the end of a call. Failures are retried by `settleAllResumable`. */
export async function settleQuietly(
  ctx: SettleCtx & Pick<Ctx, 'log'>,
  ids: string[],
): Promise<void> {
  for (const id of ids) {
    await settleResumable(ctx, id).catch((err: unknown) => {
      ctx.log.warn({ err, upload: id }, 'resumable upload cleanup failed; it is retried later')
    })
  }
}
