import type { Client } from '@connectrpc/connect'
import type { Kit, Limiter } from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'

/** Everything that a handler may reach. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  identity: Client<typeof IdentityService>
  accounts: Client<typeof AccountsService>
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
  mentionsOfUser: kit.limiter({
    name: 'mentions-of-user',
    pointsMax: cfg.mentionsPerHourMax,
    windowMs: hourMs,
  }),
})
