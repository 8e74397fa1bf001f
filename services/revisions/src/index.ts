import { defineService, type Service } from '@figbase/kit'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { revisionProcessed, textExtracted } from './events.js'
import { configureSharp } from './images/sharp.js'
import { collectObjects } from './keeping/collect-objects.js'
import { purgeDeleted } from './keeping/purge-deleted.js'
import { purgeDetached } from './keeping/purge-detached.js'
import { autoAssignJob } from './processing/auto-assign.js'
import { drawAgainJob } from './processing/draw-again.js'
import { extractTextJob } from './processing/extract-text.js'
import { processRevisionJob } from './processing/process-revision.js'
import { settleAssignments } from './processing/settle-assignments.js'
import { routes } from './routes.js'
import { settleOrphans } from './staging/orphans.js'
import { settleUploads } from './staging/settle-uploads.js'
import { sealedSecrets } from './stores/sealed-secrets.js'
import { settleAllResumable } from './uploads/settle.js'
import { settleResumableUploads } from './uploads/settle-resumable-uploads.js'
import { hearWanted, wantedSubject } from './uploads/take-over.js'

export { findRenderers, type Renderers } from './images/renderers.js'
export { type Collected, collect, type Keeping } from './keeping/collect.js'
export { type CheckedStorage, type Finding, type Fsck, fsck } from './keeping/fsck.js'
export { type KeepingOptions, openKeeping } from './keeping/open-keeping.js'
export { holdStorages, releaseStorages } from './queries/held-storages.js'

export const revisions: Service = defineService({
  name: 'revisions',
  storesObjects: true,
  config: readConfig,
  migrations,
  sealed: [sealedSecrets],
  context: createContext,
  routes,
  byConstraint,
  jobs: [
    processRevisionJob,
    drawAgainJob,
    extractTextJob,
    purgeDetached,
    purgeDeleted,
    collectObjects,
    autoAssignJob,
  ],
  publishes: [revisionProcessed, textExtracted],
  periodic: [settleUploads, settleResumableUploads, settleAssignments],
  async start(ctx) {
    configureSharp()
    await ctx.objects.sweep()
    const living = await ctx.instance.live()
    const hearing = await ctx.listen(wantedSubject, (message) => hearWanted(ctx, message))
    // Not worth a start that fails: it comes round again.
    const stay = (err: unknown) => ctx.log.error({ err }, 'uploads stay')
    await settleOrphans(ctx, 'own')
      .then(() => settleAllResumable(ctx))
      .catch(stay)
    // Storage that is not ours may not answer: no start waits for that.
    settleOrphans(ctx, 'custom').catch(stay)
    return {
      async [Symbol.asyncDispose]() {
        await hearing[Symbol.asyncDispose]()
        await ctx.drawings[Symbol.asyncDispose]()
        await ctx.texts[Symbol.asyncDispose]()
        await ctx.workspaces[Symbol.asyncDispose]()
        await living[Symbol.asyncDispose]()
      },
    }
  },
})
