import { defineService, type Service } from '@figbase/kit'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { revisionProcessed, textExtracted } from './events.js'
import { configureSharp } from './images/sharp.js'
import { autoAssign } from './jobs/auto-assign.js'
import { collectObjects } from './jobs/collect-objects.js'
import { drawAgain } from './jobs/draw-again.js'
import { extractText } from './jobs/extract-text.js'
import { processRevision } from './jobs/process-revision.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { purgeDetached } from './jobs/purge-detached.js'
import { settleAssignments } from './jobs/settle-assignments.js'
import { settleResumableUploads } from './jobs/settle-resumable-uploads.js'
import { settleUploads } from './jobs/settle-uploads.js'
import { settleAllResumable } from './resumable/settle.js'
import { hearWanted, wantedSubject } from './resumable/take-over.js'
import { routes } from './routes.js'
import { sealedSecrets } from './stores/sealed-secrets.js'
import { settleOrphans } from './upload/orphans.js'

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
    processRevision,
    drawAgain,
    extractText,
    purgeDetached,
    purgeDeleted,
    collectObjects,
    autoAssign,
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
