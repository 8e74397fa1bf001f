import { type Executor, statement } from '@figbase/kit/db'
import type { Selectable } from 'kysely'
import type { DeviceLoginTable, KeyAccess } from '../db/schema.js'

export type NewDeviceLogin = {
  deviceCodeHash: Buffer
  userCodeHash: Buffer
  name: string
  access: KeyAccess
  userAgent: string
  address: string
  lifeMs: number
}

const inserted = statement<never, NewDeviceLogin>(`
  insert into device_login (device_code_hash, user_code_hash, name, access, user_agent, address, expires_on)
  values (:deviceCodeHash, :userCodeHash, :name, :access, :userAgent, :address,
          now() + :lifeMs * interval '1 ms')`)

export async function insertDeviceLogin(db: Executor, login: NewDeviceLogin): Promise<void> {
  await inserted(db, login)
}

export type OpenDeviceLogin = Pick<
  Selectable<DeviceLoginTable>,
  'name' | 'access' | 'user_agent' | 'address' | 'created_on'
>

const open = statement<OpenDeviceLogin>(`
  select name, access, user_agent, address, created_on from device_login
   where user_code_hash = $1 and expires_on > now() and is_allowed is null`)

/** Undefined when unknown, decided or expired. By device_login_user_code_hash_key. */
export async function findOpenDeviceLogin(
  db: Executor,
  userCodeHash: Buffer,
): Promise<OpenDeviceLogin | undefined> {
  return (await open(db, userCodeHash))[0]
}

type Decision = { userCodeHash: Buffer; username: string; isAllowed: boolean }

const decided = statement<{ name: string }, Decision>(`
  update device_login d
     set is_allowed = :isAllowed, username = a.username, token_generation = a.token_generation
    from account a
   where d.user_code_hash = :userCodeHash and d.expires_on > now() and d.is_allowed is null
     and a.username = :username and a.is_active and a.deleted_on is null
  returning d.name`)

/** False when it is unknown, decided or expired. By device_login_user_code_hash_key and account_pkey. */
export async function decideDeviceLogin(db: Executor, decision: Decision): Promise<boolean> {
  return (await decided(db, decision)).length > 0
}

export type PolledDeviceLogin = Pick<
  Selectable<DeviceLoginTable>,
  'name' | 'access' | 'is_allowed' | 'username' | 'token_generation'
> & {
  /** Whether the last poll was less than the given time ago. */
  is_early: boolean
}

const polled = statement<PolledDeviceLogin>(`
  with before as (
    select device_code_hash, polled_on from device_login
     where device_code_hash = $1 and expires_on > now() for no key update
  )
  update device_login d set polled_on = now() from before b
   where d.device_code_hash = b.device_code_hash
  returning d.name, d.access, d.is_allowed, d.username, d.token_generation,
            coalesce(b.polled_on > now() - $2::float8 * interval '1 ms', false) as is_early`)

/** Locks the login until the transaction ends. Undefined when unknown, redeemed or expired. By device_login_pkey. */
export async function pollDeviceLogin(
  tx: Executor,
  deviceCodeHash: Buffer,
  intervalMs: number,
): Promise<PolledDeviceLogin | undefined> {
  return (await polled(tx, deviceCodeHash, intervalMs))[0]
}

const deleted = statement<never>('delete from device_login where device_code_hash = $1')

export async function deleteDeviceLogin(tx: Executor, deviceCodeHash: Buffer): Promise<void> {
  await deleted(tx, deviceCodeHash)
}

const expired = statement<never>('delete from device_login where expires_on <= now()')

/** By device_login_expiry_idx. */
export async function deleteExpiredDeviceLogins(db: Executor): Promise<void> {
  await expired(db)
}
