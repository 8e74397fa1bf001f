import { deleteAbandonedDirectories } from '@figbase/kit/files'
import { defineService, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { revisionProcessed, textExtracted } from './events.js'
import { temporaryPurpose } from './git/open-repository.js'
import { configureSharp } from './images/sharp.js'
import { importGitJob, importsMax } from './imports/import-git.js'
import { scheduleImports } from './imports/schedule-imports.js'
import { settleImports } from './imports/settle-imports.js'
import { collectObjects } from './maintenance/collect-objects.js'
import { purgeDeleted } from './maintenance/purge-deleted.js'
import { purgeDetached } from './maintenance/purge-detached.js'
import { autoAssignJob, waitingMax } from './processing/auto-assign.js'
import { extractTextJob } from './processing/extract-text.js'
import { processRevisionJob } from './processing/process-revision.js'
import { rerenderJob } from './processing/rerender.js'
import { settleAssignments } from './processing/settle-assignments.js'
import { gitSecrets } from './repositories/secrets.js'
import { routes } from './routes.js'
import { settleOrphans } from './staging/orphans.js'
import { settleUploads } from './staging/settle-uploads.js'
import { sealedSecrets } from './stores/sealed-secrets.js'
import { settleAllResumable } from './uploads/settle.js'
import { settleResumableUploads } from './uploads/settle-resumable-uploads.js'
import { onTakeoverRequest, takeoverSubject } from './uploads/take-over.js'

export { findGitPrograms } from './git/programs.js'
export { findRenderers, type Renderers } from './images/renderers.js'
export { type Collected, collect, type Maintenance } from './maintenance/collect.js'
export { type CheckedStorage, type Finding, type Fsck, fsck } from './maintenance/fsck.js'
export { type MaintenanceOptions, openMaintenance } from './maintenance/open-maintenance.js'
export { protectStorages, unprotectStorages } from './queries/protected-storages.js'

export const revisions: Service = defineService({
  name: 'revisions',
  storesObjects: true,
  config: readConfig,
  migrations,
  recordsResults: true,
  sealed: [sealedSecrets, ...gitSecrets],
  context: createContext,
  routes,
  byConstraint,
  jobs: [
    processRevisionJob,
    rerenderJob,
    extractTextJob,
    purgeDetached,
    purgeDeleted,
    collectObjects,
    autoAssignJob,
    importGitJob,
    scheduleImports,
  ],
  waitingJobsMax: waitingMax + importsMax,
  publishes: [revisionProcessed, textExtracted],
  periodic: [settleUploads, settleResumableUploads, settleAssignments, settleImports],
  async start(ctx) {
    configureSharp()
    await ctx.objects.sweep()
    await deleteAbandonedDirectories(temporaryPurpose)
    const processLock = await ctx.stagingProcess.lock()
    const takeoverListener = await ctx.listen(takeoverSubject, (message) =>
      onTakeoverRequest(ctx, message),
    )
    // A start does not fail for this, because the cleanup is repeated periodically.
    const logFailure = (err: unknown) => ctx.log.error({ err }, 'upload cleanup failed')
    await settleOrphans(ctx, 'own')
      .then(() => settleAllResumable(ctx))
      .catch(logFailure)
    // The start does not wait for storage of users, which may be unavailable.
    settleOrphans(ctx, 'custom').catch(logFailure)
    return {
      async [Symbol.asyncDispose]() {
        await takeoverListener[Symbol.asyncDispose]()
        await ctx.renderPool[Symbol.asyncDispose]()
        await ctx.textPool[Symbol.asyncDispose]()
        await ctx.hashBuffers[Symbol.asyncDispose]()
        await processLock[Symbol.asyncDispose]()
      },
    }
  },
})
