import type { Client } from '@connectrpc/connect'
import type { KeyRing } from '@figbase/kit/keys'
import { createOutboundAgent } from '@figbase/kit/net'
import { createSiteReader, type ReadSite } from '@figbase/kit/rpc'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { Feed } from './live/feed.js'
import { liveSubject } from './live/notify.js'
import { unsubscribePurpose } from './notifications/unsubscribe-token.js'
import { webhookSecretPurpose } from './webhooks/sealed-secrets.js'
import { Sender } from './webhooks/sender.js'

/** Broadcast subject that announces new deliveries to all processes. */
export const deliveriesSubject = 'tasks.deliveries'

/** Dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  comments: Client<typeof CommentsService>
  identity: Client<typeof IdentityService>
  accounts: Client<typeof AccountsService>
  /** Calls a peer: never in a transaction. */
  readSite: ReadSite
  feed: Feed
  sender: Sender
  /** Seals the secrets of webhooks. */
  secretKeys: KeyRing
  /** Signs the links of mails that end such mails. */
  unsubscribeKeys: KeyRing
  /** Notifies the feeds of all processes that there are new events. */
  announceLive(): void
  /** Notifies the senders of all processes that there are new deliveries. */
  announceDeliveries(): void
}

export function createContext(kit: Kit<Database>, cfg: Config): Ctx {
  const { db, log, stopping } = kit
  const catalog = kit.client(CatalogService)
  // A lost broadcast delays events by a second, and deliveries by more: feeds and senders also poll.
  const announcing = (subject: string) => () => void kit.broadcast(subject, null).catch(() => {})
  const base = {
    ...kit,
    cfg,
    catalog,
    comments: kit.client(CommentsService),
    identity: kit.client(IdentityService),
    accounts: kit.client(AccountsService),
    readSite: createSiteReader(kit.client(SiteService), log),
    secretKeys: kit.keys.derive(webhookSecretPurpose),
    unsubscribeKeys: kit.keys.derive(unsubscribePurpose),
    announceLive: announcing(liveSubject),
    announceDeliveries: announcing(deliveriesSubject),
  }
  const feed = new Feed({ db, catalog, cfg, log, stopping })
  const agents = {
    http: createOutboundAgent('http:', cfg.hostsAllowed),
    https: createOutboundAgent('https:', cfg.hostsAllowed),
  }
  const agentOf = (url: string) => (url.startsWith('https:') ? agents.https : agents.http)
  return { ...base, feed, sender: new Sender({ ...base, agentOf }) }
}
