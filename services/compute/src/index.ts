import { defineService, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { instanceChanged } from './events.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { reconcileJob } from './jobs/reconcile.js'
import { stopUnentitled } from './periodic/stop-unentitled.js'
import { wakeReconcilerPeriodically } from './periodic/wake-reconciler.js'
import { routes } from './routes.js'
import { sealedKeys } from './sealed-keys.js'

export { archiveVolume, listVolumes, restoreVolume } from './drivers/local/volumes.js'

export const compute: Service = defineService({
  name: 'compute',
  config: readConfig,
  migrations,
  sealed: [sealedKeys],
  context: createContext,
  routes,
  publishes: [instanceChanged],
  jobs: [reconcileJob, purgeDeleted],
  periodic: [wakeReconcilerPeriodically, stopUnentitled],
  async start({ driver, notebooks }: Ctx) {
    if (driver) await notebooks.start()
    return notebooks
  },
  // The reconciler runs for long.
  waitingJobsMax: 1,
})
