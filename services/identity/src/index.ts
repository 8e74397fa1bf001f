import { defineService, type Service, sendMailJob } from '@figbase/kit'
import { removeStalePasswordFile } from './admin-password-file.js'
import { createFirstAdministrator } from './administrator.js'
import { readConfig } from './config.js'
import { type Ctx, createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { ensurePrimaryWorkspace } from './jobs/ensure-primary-workspace.js'
import { leaveCatalog } from './jobs/leave-catalog.js'
import { mailPasswordResetsJob } from './jobs/mail-password-resets.js'
import { tellSiteRules } from './jobs/tell-site-rules.js'
import { forgetSignIns } from './periodic/forget-expired-sign-ins.js'
import { forgetSpentTokens } from './periodic/forget-spent-tokens.js'
import { purgeMailTokens } from './periodic/purge-mail-tokens.js'
import { purgeMetadataProxies } from './periodic/purge-metadata-proxies.js'
import { routes } from './routes.js'
import { sealedKeys } from './ssh/sealed-keys.js'

export {
  AccountRefused,
  type AdministratorOptions,
  checkAdministrator,
  makeAdministrator,
} from './make-administrator.js'

export const identity: Service = defineService({
  name: 'identity',
  config: readConfig,
  migrations,
  sealed: [sealedKeys],
  context: createContext,
  routes,
  byConstraint,
  jobs: [ensurePrimaryWorkspace, leaveCatalog, mailPasswordResetsJob, sendMailJob, tellSiteRules],
  periodic: [purgeMailTokens, forgetSpentTokens, forgetSignIns, purgeMetadataProxies],
  start: async (ctx: Ctx) => {
    await createFirstAdministrator(ctx)
    await removeStalePasswordFile(ctx)
    // A start waits for nobody who is needed only by some: that it does not answer is logged.
    void ctx.provider?.discover().catch(() => {})
    return ctx.keyReader
  },
})
