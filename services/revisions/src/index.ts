import { defineService, type Service } from '@figbase/kit'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { configureSharp } from './images/sharp.js'
import { collectGarbage } from './jobs/collect-garbage.js'
import { processRevision } from './jobs/process-revision.js'
import { routes } from './routes.js'

export const revisions: Service = defineService({
  name: 'revisions',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  byConstraint,
  jobs: [processRevision],
  periodic: [collectGarbage],
  async start(ctx) {
    configureSharp()
    const living = await ctx.instance.live()
    await collectGarbage.run(ctx, AbortSignal.timeout(60_000))
    return living
  },
})
