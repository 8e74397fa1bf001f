import { defineService, Lifecycle, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { markChanged } from './consumers/mark-changed.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { ensureIndex, rebuildJob, reindexJob } from './jobs/rebuild.js'
import { routes } from './routes.js'

export { type RebuildState, requestRebuild } from './maintenance/rebuild.js'

export const search: Service = defineService({
  name: 'search',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  consumers: [markChanged],
  jobs: [rebuildJob, reindexJob, purgeDeleted],
  async start(ctx: Ctx) {
    const lifecycle = new Lifecycle()
    lifecycle.onStop(() => ctx.engine[Symbol.asyncDispose]())
    warnIfUnavailable(ctx)
    await ensureIndex(ctx)
    ctx.indexer.start(ctx)
    lifecycle.onStop(() => ctx.indexer[Symbol.asyncDispose]())
    return lifecycle
  },
})

const checkTimeoutMs = 10_000

/** Everything else works without the engine, so the service starts without waiting for it. */
function warnIfUnavailable({ engine, log }: Ctx) {
  const warn = (err: unknown) => log.warn({ err }, 'the search engine is unavailable')
  engine.check(AbortSignal.timeout(checkTimeoutMs)).catch(warn)
}
