import { defineService, Lifecycle, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { liveEvents } from './consumers/live-events.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { liveSubject } from './live/notify.js'
import { removeOldEvents } from './periodic/remove-old-events.js'
import { removeOldTasks } from './periodic/remove-old-tasks.js'
import { routes } from './routes.js'

export const tasks: Service = defineService({
  name: 'tasks',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  consumers: [liveEvents],
  periodic: [removeOldTasks, removeOldEvents],
  async start({ feed, listen }) {
    const lifecycle = new Lifecycle()
    feed.start()
    lifecycle.onStop(() => feed[Symbol.asyncDispose]())
    const listener = await listen(liveSubject, () => feed.wake())
    lifecycle.onStop(() => listener[Symbol.asyncDispose]())
    return lifecycle
  },
})
