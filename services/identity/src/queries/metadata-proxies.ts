import { statement } from '@figbase/kit/db'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database, MetadataProxyTable } from '../db/schema.js'
import { lockAccount } from './lock-account.js'

type Db = Kysely<Database>
type Tx = Transaction<Database>

/** Without the hash of the token. */
export type MetadataProxyRow = Omit<Selectable<MetadataProxyTable>, 'token_hash'>

const columns = `
  m.id, m.initiator, m.created_on, m.expires_on, m.updated_on, m.metadata::text as metadata`

const ownExpired = statement<never>(
  'delete from metadata_proxy m where m.initiator = $1 and m.expires_on <= now()',
)

export type ProxyCount = {
  proxies: number
  /** Time until the first of them expires; null when there is none. */
  first_ends_ms: number | null
}

const open = statement<ProxyCount>(`
  select count(*)::int as proxies,
         (extract(epoch from min(m.expires_on) - now()) * 1000)::float8 as first_ends_ms
    from metadata_proxy m where m.initiator = $1`)

/**
 * Locks the account, so that concurrent creations wait, deletes its expired proxies and counts the others. By
 * metadata_proxy_initiator_idx.
 */
export async function lockAndCountProxies(tx: Tx, initiator: string): Promise<ProxyCount> {
  await lockAccount(tx, initiator)
  await ownExpired(tx, initiator)
  return (await open(tx, initiator))[0] ?? { proxies: 0, first_ends_ms: null }
}

export type NewMetadataProxy = {
  id: string
  initiator: string
  tokenHash: Buffer
  /** ISO 8601; null: after `lifeMs`, which is also the maximum. */
  expiresOn: string | null
  lifeMs: number
}

const inserted = statement<MetadataProxyRow, NewMetadataProxy>(`
  insert into metadata_proxy as m (id, initiator, token_hash, expires_on)
  select :id::uuid, :initiator, :tokenHash,
         least(:expiresOn::timestamptz, now() + :lifeMs * interval '1 ms')
   where :expiresOn::timestamptz is null or :expiresOn::timestamptz > now()
  returning ${columns}`)

/** Undefined when the expiry is in the past. */
export async function insertMetadataProxy(
  tx: Tx,
  proxy: NewMetadataProxy,
): Promise<MetadataProxyRow | undefined> {
  return (await inserted(tx, proxy))[0]
}

const byToken = statement<MetadataProxyRow>(`
  select ${columns} from metadata_proxy m where m.token_hash = $1 and m.expires_on > now()`)

/** Undefined when unknown or expired. By metadata_proxy_token_hash_key. */
export async function findMetadataProxy(
  db: Db,
  tokenHash: Buffer,
): Promise<MetadataProxyRow | undefined> {
  return (await byToken(db, tokenHash))[0]
}

// updated_on always increases, also within one transaction: the kernel polls it for changes.
const posted = statement<MetadataProxyRow>(`
  update metadata_proxy m
     set metadata = $2::json,
         updated_on = greatest(clock_timestamp(), m.updated_on + interval '1 microsecond')
   where m.token_hash = $1 and m.expires_on > now()
  returning ${columns}`)

/** Undefined when unknown or expired. */
export async function updateMetadata(
  db: Db,
  tokenHash: Buffer,
  metadata: string,
): Promise<MetadataProxyRow | undefined> {
  return (await posted(db, tokenHash, metadata))[0]
}

const deleted = statement<{ id: string }>(
  'delete from metadata_proxy where token_hash = $1 and initiator = $2 returning id',
)

/** Returns whether the proxy existed. */
export async function deleteMetadataProxy(
  db: Db,
  tokenHash: Buffer,
  initiator: string,
): Promise<boolean> {
  return (await deleted(db, tokenHash, initiator)).length > 0
}

const expired = statement<never>('delete from metadata_proxy where expires_on <= now()')

/** By metadata_proxy_expiry_idx. */
export async function deleteExpiredProxies(db: Db): Promise<void> {
  await expired(db)
}
