import type { Client } from '@connectrpc/connect'
import type { Kit } from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { Feed } from './live/feed.js'
import { liveSubject } from './live/tell.js'

/** Everything that a handler may reach. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  feed: Feed
  /** Tells the feeds of all processes that there is something to be read. */
  announceLive(): void
}

export function createContext(kit: Kit<Database>, cfg: Config): Ctx {
  const { db, log, stopping } = kit
  const catalog = kit.client(CatalogService)
  // Unheard, it costs a second: feeds also look by themselves.
  const announceLive = () => void kit.broadcast(liveSubject, null).catch(() => {})
  return { ...kit, cfg, catalog, announceLive, feed: new Feed({ db, catalog, cfg, log, stopping }) }
}
