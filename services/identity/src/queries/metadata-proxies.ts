import { statement } from '@figbase/kit'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database, MetadataProxyTable } from '../db/schema.js'
import { holdAccount } from './held-account.js'

type Db = Kysely<Database>
type Tx = Transaction<Database>

/** Never with the hash of its token. */
export type MetadataProxyRow = Omit<Selectable<MetadataProxyTable>, 'token_hash'>

const columns = `
  m.id, m.initiator, m.created_on, m.expires_on, m.updated_on, m.metadata::text as metadata`

const ownExpired = statement<never>(
  'delete from metadata_proxy m where m.initiator = $1 and m.expires_on <= now()',
)

export type HeldProxies = {
  proxies: number
  /** Until the first of them expires; null: there is none. */
  first_ends_ms: number | null
}

const open = statement<HeldProxies>(`
  select count(*)::int as proxies,
         (extract(epoch from min(m.expires_on) - now()) * 1000)::float8 as first_ends_ms
    from metadata_proxy m where m.initiator = $1`)

/**
 * How many open mailboxes a user has; the expired ones go. Who else makes one for the same user waits
 * until the end. By metadata_proxy_initiator_idx.
 */
export async function countHeldProxies(tx: Tx, initiator: string): Promise<HeldProxies> {
  await holdAccount(tx, initiator)
  await ownExpired(tx, initiator)
  return (await open(tx, initiator))[0] ?? { proxies: 0, first_ends_ms: null }
}

export type NewMetadataProxy = {
  id: string
  initiator: string
  tokenHash: Buffer
  /** ISO 8601; null: after `lifeMs`, and so is what would be later. */
  expiresOn: string | null
  lifeMs: number
}

const inserted = statement<MetadataProxyRow, NewMetadataProxy>(`
  insert into metadata_proxy as m (id, initiator, token_hash, expires_on)
  select :id::uuid, :initiator, :tokenHash,
         least(:expiresOn::timestamptz, now() + :lifeMs * interval '1 ms')
   where :expiresOn::timestamptz is null or :expiresOn::timestamptz > now()
  returning ${columns}`)

/** Undefined when it would have expired already. */
export async function insertMetadataProxy(
  tx: Tx,
  proxy: NewMetadataProxy,
): Promise<MetadataProxyRow | undefined> {
  return (await inserted(tx, proxy))[0]
}

const byToken = statement<MetadataProxyRow>(`
  select ${columns} from metadata_proxy m where m.token_hash = $1 and m.expires_on > now()`)

/** Unless it has expired. By metadata_proxy_token_hash_key. */
export async function findMetadataProxy(
  db: Db,
  tokenHash: Buffer,
): Promise<MetadataProxyRow | undefined> {
  return (await byToken(db, tokenHash))[0]
}

// By the clock at which it is written, after all who wrote before: the kernel looks for a change.
const posted = statement<MetadataProxyRow>(`
  update metadata_proxy m
     set metadata = $2::json,
         updated_on = greatest(clock_timestamp(), m.updated_on + interval '1 microsecond')
   where m.token_hash = $1 and m.expires_on > now()
  returning ${columns}`)

/** Undefined as `findMetadataProxy`. */
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

/** Whether there was one. */
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
