import type { Client } from '@connectrpc/connect'
import type { Limiter } from '@figbase/kit/limits'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { openEngine } from './engine/open-engine.js'
import type { SearchEngine } from './engine/port.js'
import { Indexer } from './indexing/indexer.js'
import { ensureIndex } from './jobs/rebuild.js'
import { openSimilar, type Similar } from './similar/similar.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  revisions: Client<typeof RevisionsService>
  comments: Client<typeof CommentsService>
  stories: Client<typeof StoriesService>
  engine: SearchEngine
  indexer: Indexer
  /** What searches by meaning and by pictures need; rejects if a model cannot be opened. */
  similar: Promise<Similar>
  /** Limit the searches of each user. */
  searchesOfUser: Limiter
  imageSearchesOfUser: Limiter
}

const minuteMs = 60_000

export function createContext(kit: Kit<Database>, cfg: Config): Ctx {
  const engine = openEngine(kit.db, cfg.typesense, async () => (await similar).embedders?.queries)
  const similar = openSimilar(cfg, kit.db, kit.log, engine)
  return {
    ...kit,
    cfg,
    catalog: kit.client(CatalogService),
    revisions: kit.client(RevisionsService),
    comments: kit.client(CommentsService),
    stories: kit.client(StoriesService),
    engine,
    indexer: new Indexer(ensureIndex),
    similar,
    searchesOfUser: kit.limiter({
      name: 'searches-of-user',
      pointsMax: cfg.searchesPerMinuteMax,
      windowMs: minuteMs,
    }),
    imageSearchesOfUser: kit.limiter({
      name: 'image-searches-of-user',
      pointsMax: cfg.imageSearchesPerMinuteMax,
      windowMs: minuteMs,
    }),
  }
}
