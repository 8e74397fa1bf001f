import type { Client } from '@connectrpc/connect'
import { type KeyRing, type Kit, userTokenPurpose } from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { PeopleService } from '@figbase/proto/catalog/people'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { createGate, type Gate } from './domain/gate.js'
import { createLimits, type Limits } from './limits.js'
import { createKeyReader, type KeyReader } from './ssh/key-reader.js'
import { sshKeyPurpose } from './ssh/sealed-keys.js'
import { flowPurpose } from './sso/code-flow.js'
import { createProvider, type Provider } from './sso/provider.js'
import { createTokenIssuer, type TokenIssuer } from './tokens.js'

/** Everything a handler may reach. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  people: Client<typeof PeopleService>
  tokens: TokenIssuer
  /** Every hash goes through it: there are so many at a time, and so many may wait. */
  hashing: Gate
  /** The same for pictures of users, each of which may take 64 MiB. */
  drawing: Gate
  limits: Limits
  /** With which people may sign in, if there is one. */
  provider: Provider | undefined
  keyReader: KeyReader
  /** What private SSH keys are sealed with, each in the context of its id. */
  sshKeyRing: KeyRing
  flowKeys: KeyRing
}

const waitingHashesMax = 200
const waitingDrawingsMax = 50

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  catalog: kit.client(CatalogService),
  people: kit.client(PeopleService),
  tokens: createTokenIssuer(kit.keys.derive(userTokenPurpose), cfg),
  hashing: createGate(cfg.hashesAtATime, waitingHashesMax),
  drawing: createGate(1, waitingDrawingsMax),
  limits: createLimits(kit, cfg),
  provider: createProvider(cfg.oidc, kit.log),
  keyReader: createKeyReader(cfg.sshKeys),
  sshKeyRing: kit.keys.derive(sshKeyPurpose),
  flowKeys: kit.keys.derive(flowPurpose),
})
