import type { Client } from '@connectrpc/connect'
import type { KeyRing } from '@figbase/kit/keys'
import { createLruCache, type LruCache } from '@figbase/kit/lru'
import type { Kit } from '@figbase/kit/service'
import { type ConcurrencyLimit, createConcurrencyLimit } from '@figbase/kit/timing'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { InsightService } from '@figbase/proto/insight'
import type { Config } from './config.js'
import type { Tables } from './db/schema.js'
import { createGit, type Git } from './git/git.js'
import { createRenderPool, type RenderPool } from './images/render-pool.js'
import { findRenderers } from './images/renderers.js'
import { createThumbnails, type Thumbnails } from './images/thumbnails.js'
import { gitSecretPurpose } from './repositories/secrets.js'
import { createHashBufferPool, type HashBufferPool } from './staging/hash-buffers.js'
import { createStagingProcess, type StagingProcess } from './staging/staging-process.js'
import { type CustomStores, createCustomStores } from './stores/custom-stores.js'
import { createStores, type Stores } from './stores/stores.js'
import { createTextPool, type TextPool } from './text/text-pool.js'
import { type AppendRegistry, createAppendRegistry } from './uploads/append-registry.js'

/** What handlers and jobs can use. */
export type Ctx = Kit<Tables> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  insight: Client<typeof InsightService>
  identity: Client<typeof IdentityService>
  accounts: Client<typeof AccountsService>
  site: Client<typeof SiteService>
  sshKeys: Client<typeof SshKeysService>
  /** Seals the secrets of Git repositories. */
  gitKeys: KeyRing
  stores: Stores
  customStores: CustomStores
  hashBuffers: HashBufferPool
  stagingProcess: StagingProcess
  appends: AppendRegistry
  thumbnails: Thumbnails
  renderPool: RenderPool
  /** For reading and decoding images, because more jobs run than JOB_CONCURRENCY. */
  imageLimit: ConcurrencyLimit
  textPool: TextPool
  git: Git
  /** The outcome of the latest activations by requests of this process, for the jobs that run in it. */
  activationOutcomes: LruCache<Promise<boolean>>
}

const activationOutcomesMax = 10_000

export function createContext(kit: Kit<Tables>, cfg: Config): Ctx {
  const customStores = createCustomStores(kit.db, kit.keys, cfg.custom)
  const stores = createStores(kit.objects, customStores)
  const stagingProcess = createStagingProcess(kit.database, kit.log)
  return {
    ...kit,
    stores,
    customStores,
    cfg,
    catalog: kit.client(CatalogService),
    insight: kit.client(InsightService),
    identity: kit.client(IdentityService),
    accounts: kit.client(AccountsService),
    site: kit.client(SiteService),
    sshKeys: kit.client(SshKeysService),
    gitKeys: kit.keys.derive(gitSecretPurpose),
    hashBuffers: createHashBufferPool(cfg.hashThreads),
    stagingProcess,
    appends: createAppendRegistry(stagingProcess, cfg.uploadTakeoverMs),
    thumbnails: createThumbnails(stores, cfg.thumbnailCacheBytes, kit.log),
    renderPool: createRenderPool(cfg, findRenderers(cfg.renderersPath)),
    imageLimit: createConcurrencyLimit(cfg.imageConcurrency),
    textPool: createTextPool(cfg),
    git: createGit({ ...cfg.git, hostsAllowed: cfg.custom.hostsAllowed }, kit.log),
    activationOutcomes: createLruCache(activationOutcomesMax),
  }
}
