import { defineService, Lifecycle, type Service } from '@figbase/kit'
import { readConfig } from './config.js'
import { liveEvents } from './consumers/live-events.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { liveSubject } from './live/tell.js'
import { removeOld } from './periodic/remove-old.js'
import { removeOldEvents } from './periodic/remove-old-events.js'
import { routes } from './routes.js'

export const tasks: Service = defineService({
  name: 'tasks',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  consumers: [liveEvents],
  periodic: [removeOld, removeOldEvents],
  async start({ feed, listen }) {
    const lifecycle = new Lifecycle()
    feed.start()
    lifecycle.onStop(() => feed[Symbol.asyncDispose]())
    const hearing = await listen(liveSubject, () => feed.ring())
    lifecycle.onStop(() => hearing[Symbol.asyncDispose]())
    return lifecycle
  },
})
