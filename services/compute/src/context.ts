import type { Client } from '@connectrpc/connect'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { PlansService } from '@figbase/proto/catalog/plans'
import { IdentityService } from '@figbase/proto/identity'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { openDriver } from './drivers/open-driver.js'
import type { Driver } from './drivers/port.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  plans: Client<typeof PlansService>
  identity: Client<typeof IdentityService>
  /** Undefined if COMPUTE_DRIVER is `off`. Only the reconciler starts, stops and removes. */
  driver: Driver | undefined
}

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  catalog: kit.client(CatalogService),
  plans: kit.client(PlansService),
  identity: kit.client(IdentityService),
  driver: openDriver(cfg),
})
