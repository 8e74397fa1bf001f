import type { Client } from '@connectrpc/connect'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { Feed } from './live/feed.js'
import { liveSubject } from './live/notify.js'

/** Dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  feed: Feed
  /** Notifies the feeds of all processes that there are new events. */
  announceLive(): void
}

export function createContext(kit: Kit<Database>, cfg: Config): Ctx {
  const { db, log, stopping } = kit
  const catalog = kit.client(CatalogService)
  // A lost broadcast delays events by a second: feeds also poll.
  const announceLive = () => void kit.broadcast(liveSubject, null).catch(() => {})
  return { ...kit, cfg, catalog, announceLive, feed: new Feed({ db, catalog, cfg, log, stopping }) }
}
