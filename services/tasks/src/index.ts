import { defineService, type Service } from '@figbase/kit'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { removeOld } from './periodic/remove-old.js'
import { routes } from './routes.js'

export const tasks: Service = defineService({
  name: 'tasks',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  periodic: [removeOld],
})
