import { defineService, requireStore, type Service } from '@figbase/kit'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { revisionProcessed } from './events.js'
import { configureSharp } from './images/sharp.js'
import { autoAssign } from './jobs/auto-assign.js'
import { collectGarbage, removeGarbage } from './jobs/collect-garbage.js'
import { processRevision } from './jobs/process-revision.js'
import { purgeDetached } from './jobs/purge-detached.js'
import { settleAssignments } from './jobs/settle-assignments.js'
import { settleUploads } from './jobs/settle-uploads.js'
import { wantedSubject } from './resumable/appending.js'
import { settleAllResumable } from './resumable/settle.js'
import { routes } from './routes.js'

export const revisions: Service = defineService({
  name: 'revisions',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  byConstraint,
  jobs: [processRevision, purgeDetached, autoAssign],
  publishes: [revisionProcessed],
  periodic: [collectGarbage, settleAssignments, settleUploads],
  async start(ctx) {
    configureSharp()
    await requireStore(ctx.objects)
    await ctx.objects.sweep()
    const living = await ctx.instance.live()
    const hearing = await ctx.listen(wantedSubject, (id) => ctx.appending.wanted(String(id)))
    // Not worth a start that fails: it comes round again.
    await removeGarbage(ctx)
      .then(() => settleAllResumable(ctx))
      .catch((err: unknown) => ctx.log.error({ err }, 'garbage stays'))
    return {
      async [Symbol.asyncDispose]() {
        await hearing[Symbol.asyncDispose]()
        await ctx.drawings[Symbol.asyncDispose]()
        await ctx.workspaces[Symbol.asyncDispose]()
        await living[Symbol.asyncDispose]()
      },
    }
  },
})
