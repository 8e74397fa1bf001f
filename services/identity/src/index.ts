import { sendMailJob } from '@figbase/kit/mail'
import { defineService, type Service } from '@figbase/kit/service'
import { removeStalePasswordFile } from './admin-password-file.js'
import { createFirstAdministrator } from './administrator.js'
import { readConfig } from './config.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { deleteFromCatalog } from './jobs/delete-from-catalog.js'
import { deleteFromTasks } from './jobs/delete-from-tasks.js'
import { ensurePrimaryWorkspace } from './jobs/ensure-primary-workspace.js'
import { mailPasswordResetsJob } from './jobs/mail-password-resets.js'
import { pushSiteRules } from './jobs/push-site-rules.js'
import { deleteOldKeyedRequests } from './periodic/delete-keyed-requests.js'
import { purgeDeviceLogins } from './periodic/purge-device-logins.js'
import { purgeMailTokens } from './periodic/purge-mail-tokens.js'
import { purgeMetadataProxies } from './periodic/purge-metadata-proxies.js'
import { purgeSignIns } from './periodic/purge-sign-ins.js'
import { purgeSpentTokens } from './periodic/purge-spent-tokens.js'
import { purgeStaffActions } from './periodic/purge-staff-actions.js'
import { routes } from './routes.js'
import { sealedKeys } from './ssh/sealed-keys.js'

export {
  AccountRefused,
  type AdministratorOptions,
  checkAdministrator,
  upsertAdministrator,
} from './upsert-administrator.js'

export const identity: Service = defineService({
  name: 'identity',
  config: readConfig,
  migrations,
  recordsResults: true,
  sealed: [sealedKeys],
  context: createContext,
  routes,
  byConstraint,
  jobs: [
    ensurePrimaryWorkspace,
    deleteFromCatalog,
    deleteFromTasks,
    mailPasswordResetsJob,
    sendMailJob,
    pushSiteRules,
  ],
  periodic: [
    purgeMailTokens,
    purgeSpentTokens,
    purgeSignIns,
    purgeMetadataProxies,
    purgeDeviceLogins,
    deleteOldKeyedRequests,
    purgeStaffActions,
  ],
  start: async (ctx: Ctx) => {
    await createFirstAdministrator(ctx)
    await removeStalePasswordFile(ctx)
    // Startup does not wait for the provider; a failure is logged.
    void ctx.provider?.discover().catch(() => {})
    return ctx.keyReader
  },
})
