import type { Client } from '@connectrpc/connect'
import type { Limiter } from '@figbase/kit/limits'
import { createSiteReader, type ReadSite } from '@figbase/kit/rpc'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  identity: Client<typeof IdentityService>
  accounts: Client<typeof AccountsService>
  /** Reads the site settings that mails show. It calls a peer: never call it in a transaction. */
  readSite: ReadSite
  /** Limits the mentions of each author. */
  mentionsOfUser: Limiter
}

const hourMs = 3_600_000

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  catalog: kit.client(CatalogService),
  identity: kit.client(IdentityService),
  accounts: kit.client(AccountsService),
  readSite: createSiteReader(kit.client(SiteService), kit.log),
  mentionsOfUser: kit.limiter({
    name: 'mentions-of-user',
    pointsMax: cfg.mentionsPerHourMax,
    windowMs: hourMs,
  }),
})
