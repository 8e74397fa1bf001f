import type { Ctx } from '../context.js'
import { listUploadInstances, listUploadsOf } from '../queries/uploads.js'
import { settleUpload } from './settle.js'

/** Settles the uploads of processes that are gone, and those that this one gave up on. */
export async function settleOrphans(ctx: Ctx): Promise<void> {
  for (const instance of await listUploadInstances(ctx.db)) {
    const settleAll = async () => {
      for (const id of await listUploadsOf(ctx.db, instance)) {
        if (!ctx.instance.active.has(id)) await settleUpload(ctx, id)
      }
    }
    if (instance === ctx.instance.number) await settleAll()
    else await ctx.instance.inPlaceOf(instance, settleAll)
  }
}
