import { defineService, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { commentChanged } from './events.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { routes } from './routes.js'

export const comments: Service = defineService({
  name: 'comments',
  config: readConfig,
  migrations,
  recordsResults: true,
  context: createContext,
  routes,
  publishes: [commentChanged],
  jobs: [purgeDeleted],
})
