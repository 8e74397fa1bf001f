import { sendMailJob } from '@figbase/kit/mail'
import { defineService, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { logComments } from './consumers/log-comments.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { accessGranted, figureStale, nodeChanged } from './events.js'
import { collectPaymentJob, creditPaymentJob, readPaymentJob } from './jobs/collect-payments.js'
import { issueInvoicesJob } from './jobs/issue-invoices.js'
import { tellStaleJob } from './jobs/tell-stale.js'
import { activityPartitions, ensurePartitions } from './periodic/activity-partitions.js'
import { foldDeltas } from './periodic/fold-deltas.js'
import { purgeInvitations } from './periodic/purge-invitations.js'
import { readUses } from './periodic/read-uses.js'
import { recordBilling } from './periodic/record-billing.js'
import { recordStored } from './periodic/record-stored.js'
import { removeOldPlacements } from './periodic/remove-old-placements.js'
import { settlePending } from './periodic/settle-pending.js'
import { setRunsCompute } from './queries/site-rules.js'
import { routes } from './routes.js'

export const catalog: Service = defineService({
  name: 'catalog',
  config: readConfig,
  migrations,
  recordsResults: true,
  context: createContext,
  routes,
  byConstraint,
  publishes: [nodeChanged, figureStale, accessGranted],
  consumers: [logComments],
  jobs: [
    sendMailJob,
    tellStaleJob,
    issueInvoicesJob,
    collectPaymentJob,
    creditPaymentJob,
    readPaymentJob,
  ],
  periodic: [
    foldDeltas,
    settlePending,
    activityPartitions,
    purgeInvitations,
    recordStored,
    recordBilling,
    removeOldPlacements,
    readUses,
  ],
  async start(ctx: Ctx) {
    await ensurePartitions(ctx)
    await setRunsCompute(ctx.db, ctx.cfg.computeDriver !== 'off')
    return undefined
  },
})
