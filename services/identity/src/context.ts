import type { Client } from '@connectrpc/connect'
import { type KeyRing, userTokenPurpose } from '@figbase/kit/keys'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { PeopleService } from '@figbase/proto/catalog/people'
import { NotificationsService } from '@figbase/proto/notifications'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { type ConcurrencyLimit, createConcurrencyLimit } from './domain/concurrency-limit.js'
import { createLimits, type Limits } from './limits.js'
import { createKeyReader, type KeyReader } from './ssh/key-reader.js'
import { sshKeyPurpose } from './ssh/sealed-keys.js'
import { flowPurpose } from './sso/code-flow.js'
import { createProvider, type Provider } from './sso/provider.js'
import { createTokenIssuer, type TokenIssuer } from './tokens.js'

/** Dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  people: Client<typeof PeopleService>
  notifications: Client<typeof NotificationsService>
  tokens: TokenIssuer
  /** Limits how many password hashes run concurrently, and how many requests wait for one. */
  hashing: ConcurrencyLimit
  /** The same for resizing avatars, each of which may take 64 MiB. */
  resizing: ConcurrencyLimit
  limits: Limits
  /** The OpenID Connect provider; undefined when none is configured. */
  provider: Provider | undefined
  keyReader: KeyReader
  /** Seals private SSH keys, each in the context of its id. */
  sshKeyRing: KeyRing
  flowKeys: KeyRing
}

const queuedHashesMax = 200
const queuedResizesMax = 50

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  catalog: kit.client(CatalogService),
  people: kit.client(PeopleService),
  notifications: kit.client(NotificationsService),
  tokens: createTokenIssuer(kit.keys.derive(userTokenPurpose), cfg),
  hashing: createConcurrencyLimit(cfg.hashConcurrency, queuedHashesMax),
  resizing: createConcurrencyLimit(1, queuedResizesMax),
  limits: createLimits(kit, cfg),
  provider: createProvider(cfg.oidc, kit.log),
  keyReader: createKeyReader(cfg.sshKeys),
  sshKeyRing: kit.keys.derive(sshKeyPurpose),
  flowKeys: kit.keys.derive(flowPurpose),
})
