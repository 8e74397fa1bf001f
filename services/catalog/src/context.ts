import type { CallOptions, Client } from '@connectrpc/connect'
import { createSiteReader, type ReadSite } from '@figbase/kit/rpc'
import type { Kit } from '@figbase/kit/service'
import { UsageService } from '@figbase/proto/ai-usage'
import { ComputeService } from '@figbase/proto/compute'
import { IdentityService } from '@figbase/proto/identity'
import { SiteService } from '@figbase/proto/identity/site'
import { StaffService } from '@figbase/proto/identity/staff'
import { RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import { openProvider } from './billing/provider/open.js'
import type { BillingProvider } from './billing/provider/port.js'
import type { Config } from './config.js'
import type { Database, NodeKind } from './db/schema.js'
import { createLimits, type Limits } from './limits.js'
import { createStorageLimited } from './quota.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  identity: Client<typeof IdentityService>
  staff: Client<typeof StaffService>
  revisions: Client<typeof RevisionsService>
  compute: Client<typeof ComputeService>
  aiUsage: Client<typeof UsageService>
  /** Reads the site settings that mails show. It calls a peer: never call it in a transaction. */
  readSite: ReadSite
  /** The services that own the content of nodes. */
  owners: Owner[]
  limits: Limits
  provider: BillingProvider
  /** Whether any plan limits storage. */
  isStorageLimited(): Promise<boolean>
}

type Owner = {
  kinds: NodeKind[]
  service: {
    /** The reservations that the service has committed, and may not have activated yet. */
    findExisting(request: { ids: string[] }, options: CallOptions): Promise<{ ids: string[] }>
  }
}

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  identity: kit.client(IdentityService),
  staff: kit.client(StaffService),
  revisions: kit.client(RevisionsService),
  compute: kit.client(ComputeService),
  aiUsage: kit.client(UsageService),
  readSite: createSiteReader(kit.client(SiteService), kit.log),
  owners: [
    { kinds: ['figure_revision', 'asset_revision'], service: kit.client(RevisionsService) },
    { kinds: ['story'], service: kit.client(StoriesService) },
  ],
  limits: createLimits(kit, cfg),
  provider: openProvider(cfg.billing),
  isStorageLimited: createStorageLimited(kit.db),
})
