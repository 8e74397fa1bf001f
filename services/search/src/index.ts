import { defineService, Lifecycle, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { markChanged } from './consumers/mark-changed.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { embedFigure } from './jobs/embed-figure.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { readPicture, readPictureAgain } from './jobs/read-picture.js'
import { rebuildJob, reindexJob } from './jobs/rebuild.js'
import { routes } from './routes.js'

export { type RebuildState, requestRebuild } from './maintenance/rebuild.js'

export const search: Service = defineService({
  name: 'search',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  optionalServers: ({ engine: { server } }: Ctx) =>
    server ? { [server.name]: server.isAvailable } : {},
  consumers: [markChanged],
  jobs: [rebuildJob, reindexJob, purgeDeleted, embedFigure, readPicture, readPictureAgain],
  async start(ctx: Ctx) {
    const lifecycle = new Lifecycle()
    lifecycle.onStop(() => ctx.engine[Symbol.asyncDispose]())
    const similar = await ctx.similar
    lifecycle.onStop(() => similar[Symbol.asyncDispose]())
    similar.start()
    ctx.indexer.start(ctx)
    lifecycle.onStop(() => ctx.indexer[Symbol.asyncDispose]())
    return lifecycle
  },
})
