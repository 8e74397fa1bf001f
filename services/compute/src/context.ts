import type { Client } from '@connectrpc/connect'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { PlansService } from '@figbase/proto/catalog/plans'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import type { Config } from './config.js'
import { targetLoader } from './connect/load-targets.js'
import { createNotebookServer, type NotebookServer } from './connect/notebook-server.js'
import { createTickets, type Tickets } from './connect/tickets.js'
import type { Database } from './db/schema.js'
import { openDriver } from './drivers/open-driver.js'
import type { Driver } from './drivers/port.js'
import { useAddress } from './queries/used-addresses.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  plans: Client<typeof PlansService>
  identity: Client<typeof IdentityService>
  accounts: Client<typeof AccountsService>
  tickets: Tickets
  /** Serves notebooks to browsers; listens if there is a driver. */
  notebooks: NotebookServer
  /** Undefined if COMPUTE_DRIVER is `off`. Only the reconciler starts, stops and removes. */
  driver: Driver | undefined
}

export function createContext(kit: Kit<Database>, cfg: Config): Ctx {
  const catalog = kit.client(CatalogService)
  const accounts = kit.client(AccountsService)
  const tickets = createTickets(kit.keys)
  return {
    ...kit,
    cfg,
    catalog,
    plans: kit.client(PlansService),
    identity: kit.client(IdentityService),
    accounts,
    tickets,
    notebooks: createNotebookServer({
      settings: cfg.connect,
      tickets,
      load: targetLoader({ ...kit, catalog, accounts }),
      useAddress: ({ id, expiresAtMs }) => useAddress(kit.db, id, new Date(expiresAtMs)),
      log: kit.log,
    }),
    driver: openDriver(cfg),
  }
}
