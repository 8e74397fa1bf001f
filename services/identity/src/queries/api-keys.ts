import { type Cursor, statement } from '@figbase/kit/db'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ApiKeyTable, Database, KeyAccess } from '../db/schema.js'
import { lockAccount } from './lock-account.js'

type Db = Kysely<Database>
type Tx = Transaction<Database>

/** Without the hash of the token. */
export type ApiKeyRow = Omit<Selectable<ApiKeyTable>, 'token_hash'>

const columns = `
  k.id, k.seq, k.owner, k.name, k.workspace_id, k.access, k.created_on, k.expires_on, k.last_used_on`

/** Restricts to a workspace; null: no restriction. */
const inWorkspace = (workspace: string) =>
  `(${workspace}::uuid is null or k.workspace_id = ${workspace})`

const owned = statement<{ keys: number }>(
  'select count(*)::int as keys from api_key k where k.owner = $1',
)

/** Locks the account, so that concurrent creations wait, and counts its keys. By api_key_owner_idx. */
export async function lockAndCountKeys(tx: Tx, owner: string): Promise<number> {
  await lockAccount(tx, owner)
  return (await owned(tx, owner))[0]?.keys ?? 0
}

const freeName = statement<{ name: string }>(`
  select c.name
    from generate_series(1, $3::int + 1) n,
         lateral (select case n when 1 then $2 else $2 || ' (' || n || ')' end as name) c
   where not exists (select from api_key k where k.owner = $1 and k.name = c.name)
   order by n limit 1`)

/** The name, with a number if the owner has a key with this name. By api_key_owner_name_key. */
export async function findFreeName(
  tx: Tx,
  owner: string,
  name: string,
  keysMax: number,
): Promise<string> {
  const [row] = await freeName(tx, owner, name, keysMax)
  if (!row) throw new Error('there is no free name')
  return row.name
}

export type NewApiKey = {
  id: string
  owner: string
  name: string
  tokenHash: Buffer
  workspaceId: string | null
  access: KeyAccess
  /** ISO 8601; null: never. */
  expiresOn: string | null
}

const inserted = statement<ApiKeyRow, NewApiKey>(`
  insert into api_key as k (id, owner, name, token_hash, workspace_id, access, expires_on)
  select :id::uuid, :owner, :name, :tokenHash, :workspaceId::uuid, :access, :expiresOn::timestamptz
   where :expiresOn::timestamptz is null or :expiresOn::timestamptz > now()
  returning ${columns}`)

/** Undefined when the expiry is in the past. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKeyRow | undefined> {
  return (await inserted(tx, key))[0]
}

type Page = { owner: string; workspaceId: string | null; limit: number }

const page = <Values extends Page>(later: string) =>
  statement<ApiKeyRow, Values>(`
    select ${columns} from api_key k
     where k.owner = :owner and ${inWorkspace(':workspaceId')} ${later}
     order by k.created_on, k.seq limit :limit`)

const firstPage = page<Page>('')
const laterPage = page<Page & Cursor>(
  'and (k.created_on, k.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** A user's keys, of one workspace if that is given, oldest first. By api_key_owner_idx. */
export function listApiKeys(
  db: Db,
  owner: string,
  workspaceId: string | null,
  limit: number,
  after?: Cursor,
): Promise<ApiKeyRow[]> {
  if (!after) return firstPage(db, { owner, workspaceId, limit })
  return laterPage(db, { ...after, owner, workspaceId, limit })
}

const single = statement<ApiKeyRow>(`
  select ${columns} from api_key k where k.id = $1 and k.owner = $2 and ${inWorkspace('$3')}`)

/** By api_key_pkey. */
export async function findApiKey(
  db: Db,
  id: string,
  owner: string,
  workspaceId: string | null,
): Promise<ApiKeyRow | undefined> {
  return (await single(db, id, owner, workspaceId))[0]
}

const deleted = statement<{ id: string }>(
  'delete from api_key where id = $1 and owner = $2 returning id',
)

/** Returns whether the key existed. */
export async function deleteApiKey(db: Db, id: string, owner: string): Promise<boolean> {
  return (await deleted(db, id, owner)).length > 0
}

export type ValidKey = Pick<ApiKeyRow, 'id' | 'owner' | 'workspace_id' | 'access'> & {
  is_staff: boolean
  /** Whether `last_used_on` must be updated. */
  is_stale: boolean
}

const isStale = `
  (k.last_used_on is null or k.last_used_on <= now() - interval '1 minute')`

/** SQL for the keys `k` that can be used, with their owners `a`. */
const validKeys = (condition: string) => `
    from api_key k join account a on a.username = k.owner
   where ${condition} and a.is_active and (k.expires_on is null or k.expires_on > now())`

const valid = statement<ValidKey>(`
  select k.id, k.owner, k.workspace_id, k.access, a.is_staff, ${isStale} as is_stale
  ${validKeys('k.token_hash = $1')}`)

/** Undefined when unknown or expired, or the owner is not active. By api_key_token_hash_key and account_pkey. */
export async function findValidKey(db: Db, tokenHash: Buffer): Promise<ValidKey | undefined> {
  return (await valid(db, tokenHash))[0]
}

const validIds = statement<{ id: string }>(`select k.id ${validKeys('k.id = any($1::uuid[])')}`)

/** Those of the keys that are not expired, and whose owner is active. By api_key_pkey and account_pkey. */
export const listValidKeys = (db: Db, ids: string[]): Promise<{ id: string }[]> => validIds(db, ids)

const used = statement<never>(`
  update api_key k set last_used_on = now()
   where k.id = any(array(select k.id from api_key k where k.id = $1 and ${isStale} for update skip locked))`)

/** Updates `last_used_on` at most once a minute; concurrent calls skip the locked row and do not wait. */
export async function markKeyUsed(db: Db, id: string): Promise<void> {
  await used(db, id)
}
