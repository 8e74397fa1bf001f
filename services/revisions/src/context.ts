import type { Client } from '@connectrpc/connect'
import type { Kit } from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { LRUCache } from 'lru-cache'
import type { Config } from './config.js'
import type { Tables } from './db/schema.js'
import { createDrawings, type Drawings } from './images/drawings.js'
import { findRenderers } from './images/renderers.js'
import { createThumbnails, type Thumbnails } from './images/thumbnails.js'
import { createInstance, type Instance } from './staging/instance.js'
import { createWorkspaces, type Workspaces } from './staging/workspaces.js'
import { type CustomStores, createCustomStores } from './stores/custom-stores.js'
import { createStores, type Stores } from './stores/stores.js'
import { createTexts, type Texts } from './text/texts.js'
import { type Appending, createAppending } from './uploads/appending.js'

/** Everything that a handler or a job may reach. */
export type Ctx = Kit<Tables> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  stores: Stores
  customStores: CustomStores
  workspaces: Workspaces
  instance: Instance
  appending: Appending
  thumbnails: Thumbnails
  drawings: Drawings
  texts: Texts
  /** Whether creations of this process made their revisions visible, for their jobs; the latest. */
  shown: LRUCache<string, Promise<boolean>>
}

const shownMax = 10_000

export function createContext(kit: Kit<Tables>, cfg: Config): Ctx {
  const customStores = createCustomStores(kit.db, kit.keys, cfg.custom)
  const stores = createStores(kit.objects, customStores)
  const instance = createInstance(kit.database, kit.log)
  return {
    ...kit,
    stores,
    customStores,
    cfg,
    catalog: kit.client(CatalogService),
    workspaces: createWorkspaces(cfg.hashThreads),
    instance,
    appending: createAppending(instance, cfg.uploadTakeoverMs),
    thumbnails: createThumbnails(stores, cfg.thumbnailCacheBytes, kit.log),
    drawings: createDrawings(cfg, findRenderers(cfg.renderersPath)),
    texts: createTexts(cfg),
    shown: new LRUCache({ max: shownMax }),
  }
}
