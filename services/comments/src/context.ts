import type { Client } from '@connectrpc/connect'
import type { Limiter } from '@figbase/kit/limits'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  /** Limits the mentions of each author. */
  mentionsOfUser: Limiter
}

const hourMs = 3_600_000

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  catalog: kit.client(CatalogService),
  mentionsOfUser: kit.limiter({
    name: 'mentions-of-user',
    pointsMax: cfg.mentionsPerHourMax,
    windowMs: hourMs,
  }),
})
