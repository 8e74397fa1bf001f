import type { Ctx } from '../context.js'
import { listUploadInstances, listUploadsOf } from '../queries/uploads.js'
import { settleUpload } from './settle.js'

/**
 * Settles the uploads of processes that are gone, and those that this one gave up on: those to our own storage,
 * or, where each may have to be waited for, to storage that is not ours.
 */
export async function settleOrphans(ctx: Ctx, where: 'own' | 'custom'): Promise<void> {
  for (const instance of await listUploadInstances(ctx.db)) {
    const settleAll = async () => {
      for (const id of await listUploadsOf(ctx.db, instance, where === 'custom')) {
        if (ctx.stopping.aborted) return
        if (!ctx.instance.active.has(id)) await settleUpload(ctx, id)
      }
    }
    if (instance === ctx.instance.number) await settleAll()
    else await ctx.instance.inPlaceOf(instance, settleAll)
  }
}
