import { defineService } from '@figbase/kit'
import { createFirstAdministrator } from './administrator.js'
import { readConfig } from './config.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { ensurePrimaryWorkspace } from './jobs/ensure-primary-workspace.js'
import { routes } from './routes.js'

export const identity = defineService({
  name: 'identity',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  byConstraint,
  jobs: [ensurePrimaryWorkspace],
  start: async (ctx: Ctx) => {
    await createFirstAdministrator(ctx)
    return ctx.keyReader
  },
})
