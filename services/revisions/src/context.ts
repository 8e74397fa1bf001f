import type { Client } from '@connectrpc/connect'
import type { Kit } from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { LRUCache } from 'lru-cache'
import type { Config } from './config.js'
import type { Tables } from './db/schema.js'
import { createDrawings, type Drawings } from './images/drawings.js'
import { findRenderers } from './images/renderers.js'
import { createThumbnails, type Thumbnails } from './images/thumbnails.js'
import { type Appending, createAppending } from './resumable/appending.js'
import { createStores, type Stores } from './stores/stores.js'
import { createInstance, type Instance } from './upload/instance.js'
import { createWorkspaces, type Workspaces } from './upload/workspaces.js'

/** Everything that a handler or a job may reach. */
export type Ctx = Kit<Tables> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  stores: Stores
  workspaces: Workspaces
  instance: Instance
  appending: Appending
  thumbnails: Thumbnails
  drawings: Drawings
  /** Whether creations of this process made their revisions visible, for their jobs; the latest. */
  shown: LRUCache<string, Promise<boolean>>
}

const shownMax = 10_000

export function createContext(kit: Kit<Tables>, cfg: Config): Ctx {
  const stores = createStores(kit.objects)
  return {
    ...kit,
    stores,
    cfg,
    catalog: kit.client(CatalogService),
    workspaces: createWorkspaces(cfg.hashThreads),
    instance: createInstance(cfg.databaseUrl, kit.log),
    appending: createAppending(cfg.uploadSilenceMs),
    thumbnails: createThumbnails(stores, cfg.thumbnailCacheBytes, kit.log),
    drawings: createDrawings(cfg, findRenderers(cfg.renderersPath)),
    shown: new LRUCache({ max: shownMax }),
  }
}
