import type { Ctx } from '../context.js'
import { listBlobKeys } from '../queries/blobs.js'
import { closeUpload, deleteUpload } from '../queries/uploads.js'

/**
 * Removes the staged objects that are no blob's, then the upload's row: after a refusal, after a
 * commit that found the same bytes stored already, or in place of a process that is gone. From
 * here on an upload that was still open cannot be committed any more.
 */
export async function settleUpload(
  ctx: Pick<Ctx, 'db' | 'objects'>,
  id: string,
): Promise<'discarded' | 'committed'> {
  const state = await closeUpload(ctx.db, id)
  if (!state) return 'committed'
  const staged: string[] = []
  for await (const key of ctx.objects.list(`uploads/${id}/`)) staged.push(key)
  const kept = new Set(await listBlobKeys(ctx.db, staged))
  await ctx.objects.delete(staged.filter((key) => !kept.has(key)))
  await deleteUpload(ctx.db, id)
  return state === 'discarded' ? 'discarded' : 'committed'
}
