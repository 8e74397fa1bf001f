import type { Client } from '@connectrpc/connect'
import { createSiteReader, type Kit, type Limiter, type ReadSite } from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'

/** Everything that a handler may reach. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  identity: Client<typeof IdentityService>
  accounts: Client<typeof AccountsService>
  /** What mails show of the settings of the site; not to be called in a transaction. */
  readSite: ReadSite
  /** By who mentions: how many he does. */
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
