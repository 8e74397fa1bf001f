import { sendMailJob } from '@figbase/kit/mail'
import { defineService, Lifecycle, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { liveEvents } from './consumers/live-events.js'
import { createContext, deliveriesSubject } from './context.js'
import { migrations } from './db/migrations/index.js'
import { notifyJob } from './jobs/notify.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { sendDigestJob } from './jobs/send-digest.js'
import { liveSubject } from './live/notify.js'
import { removeOldDeliveries } from './periodic/remove-old-deliveries.js'
import { removeOldEvents } from './periodic/remove-old-events.js'
import { removeOldNotifications } from './periodic/remove-old-notifications.js'
import { removeOldTasks } from './periodic/remove-old-tasks.js'
import { routes } from './routes.js'
import { sealedSecrets } from './webhooks/sealed-secrets.js'

export const tasks: Service = defineService({
  name: 'tasks',
  config: readConfig,
  migrations,
  context: createContext,
  routes,
  consumers: [liveEvents],
  jobs: [purgeDeleted, notifyJob, sendDigestJob, sendMailJob],
  sealed: sealedSecrets,
  periodic: [removeOldTasks, removeOldEvents, removeOldDeliveries, removeOldNotifications],
  async start({ feed, sender, listen }) {
    const lifecycle = new Lifecycle()
    feed.start()
    lifecycle.onStop(() => feed[Symbol.asyncDispose]())
    const listener = await listen(liveSubject, () => feed.wake())
    lifecycle.onStop(() => listener[Symbol.asyncDispose]())
    sender.start()
    lifecycle.onStop(() => sender[Symbol.asyncDispose]())
    const deliveries = await listen(deliveriesSubject, () => sender.wake())
    lifecycle.onStop(() => deliveries[Symbol.asyncDispose]())
    return lifecycle
  },
})
