import { type Cursor, statement } from '@figbase/kit/db'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db/schema.js'

type Db = Kysely<Database>
type Tx = Transaction<Database>

/** Without the private key. */
export type SshKeyRow = {
  id: string
  seq: bigint
  owner: string
  name: string
  fingerprint: string
  public_key: string
  is_default: boolean
  created_on: string
}

const columns = `
  k.id, k.seq, k.owner, k.name, k.fingerprint, k.public_key, k.is_default, k.created_on`

const owned = statement<{ keys: number }>(
  'select count(*)::int as keys from ssh_key k where k.owner = $1',
)

/** By ssh_key_owner_idx. */
export async function countSshKeys(db: Db, owner: string): Promise<number> {
  return (await owned(db, owner))[0]?.keys ?? 0
}

const clearedDefault = statement<never>(
  'update ssh_key set is_default = false where owner = $1 and is_default and id <> $2',
)

/** Unsets the default of other keys. By ssh_key_owner_default_key. */
export async function clearOtherDefault(tx: Tx, owner: string, id: string): Promise<void> {
  await clearedDefault(tx, owner, id)
}

export type NewSshKey = {
  id: string
  owner: string
  name: string
  fingerprint: string
  publicKey: string
  sealed: Buffer
  isDefault: boolean
}

const inserted = statement<SshKeyRow, NewSshKey>(`
  insert into ssh_key as k (id, owner, name, fingerprint, public_key, private_key_sealed, is_default)
  values (:id, :owner, :name, :fingerprint, :publicKey, :sealed, :isDefault)
  returning ${columns}`)

export async function insertSshKey(tx: Tx, key: NewSshKey): Promise<SshKeyRow> {
  const [row] = await inserted(tx, key)
  if (!row) throw new Error('an SSH key was not inserted')
  return row
}

type Page = { owner: string; limit: number }

const page = <Values extends Page>(later: string) =>
  statement<SshKeyRow, Values>(`
    select ${columns} from ssh_key k
     where k.owner = :owner ${later}
     order by k.created_on, k.seq limit :limit`)

const firstPage = page<Page>('')
const laterPage = page<Page & Cursor>(
  'and (k.created_on, k.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** A user's keys, oldest first. By ssh_key_owner_idx. */
export function listSshKeys(
  db: Db,
  owner: string,
  limit: number,
  after?: Cursor,
): Promise<SshKeyRow[]> {
  if (!after) return firstPage(db, { owner, limit })
  return laterPage(db, { ...after, owner, limit })
}

const single = statement<SshKeyRow>(
  `select ${columns} from ssh_key k where k.id = $1 and k.owner = $2`,
)

/** By ssh_key_pkey. */
export async function findSshKey(
  db: Db,
  id: string,
  owner: string,
): Promise<SshKeyRow | undefined> {
  return (await single(db, id, owner))[0]
}

export type SshKeyChange = { name: string | null; isDefault: boolean | null }

const changed = statement<SshKeyRow, SshKeyChange & Pick<SshKeyRow, 'id' | 'owner'>>(`
  update ssh_key k
     set name = coalesce(:name, k.name), is_default = coalesce(:isDefault::boolean, k.is_default)
   where k.id = :id and k.owner = :owner
  returning ${columns}`)

/** Null members are not changed; returns undefined when the key is unknown. By ssh_key_pkey. */
export async function updateSshKey(
  tx: Tx,
  id: string,
  owner: string,
  { name, isDefault }: SshKeyChange,
): Promise<SshKeyRow | undefined> {
  return (await changed(tx, { id, owner, name, isDefault }))[0]
}

const deleted = statement<{ id: string }>(
  'delete from ssh_key where id = $1 and owner = $2 returning id',
)

/** Returns whether the key existed. By ssh_key_pkey. */
export async function deleteSshKey(db: Db, id: string, owner: string): Promise<boolean> {
  return (await deleted(db, id, owner)).length > 0
}

const sealed = statement<SshKeyRow & { private_key_sealed: Buffer }>(
  `select ${columns}, k.private_key_sealed from ssh_key k where k.id = $1 and k.owner = $2`,
)

/** By ssh_key_pkey. */
export async function findSealedKey(
  db: Db,
  id: string,
  owner: string,
): Promise<(SshKeyRow & { private_key_sealed: Buffer }) | undefined> {
  return (await sealed(db, id, owner))[0]
}
