import type { Ctx } from '../context.js'
import { listUploadProcesses, listUploadsOf } from '../queries/uploads.js'
import { settleUpload } from './settle.js'

/**
 * Settles the uploads of processes that are gone, and failed ones of this process: those to the default
 * storage, or those to storages of users, which may take long to answer.
 */
export async function settleOrphans(ctx: Ctx, where: 'own' | 'custom'): Promise<void> {
  for (const processNumber of await listUploadProcesses(ctx.db)) {
    const settleAll = async () => {
      for (const id of await listUploadsOf(ctx.db, processNumber, where === 'custom')) {
        if (ctx.stopping.aborted) return
        if (!ctx.stagingProcess.active.has(id)) await settleUpload(ctx, id)
      }
    }
    if (processNumber === ctx.stagingProcess.number) await settleAll()
    else await ctx.stagingProcess.ifGone(processNumber, settleAll)
  }
}
