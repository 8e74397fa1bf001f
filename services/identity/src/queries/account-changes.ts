import { type Executor, statement } from '@figbase/kit/db'
import type { UserRow } from '../db/schema.js'
import { type AccountAddress, addressKeyOf } from './addresses.js'
import { userColumns } from './users.js'

const reset = statement<UserRow>(`
  update account a
     set password_hash = $3, token_generation = token_generation + 1, version = version + 1,
         email_confirmed = email_confirmed or (email = $2 and not exists (
           select from account o where o.email_key = a.email_key and o.email_confirmed))
   where username = $1 and is_active
  returning ${userColumns}`)

/**
 * Sets a new password after a reset by mail. Also confirms the address, if it is still that of the account and no other
 * account has confirmed it. Undefined when the account is not active.
 */
export async function resetPassword(
  tx: Executor,
  { username, email }: AccountAddress,
  passwordHash: string,
): Promise<UserRow | undefined> {
  return (await reset(tx, username, email, passwordHash))[0]
}

export type LockedUser = Omit<UserRow, 'avatar'>

const locked = statement<LockedUser>(`
  select username, email, first_name, last_name, password_hash, date_joined, is_active, is_staff,
         email_confirmed, using_auth0, version, token_generation, profile::text as profile
    from account where username = $1 and deleted_on is null for no key update`)

/** Locks the account until the transaction ends. By account_pkey. */
export async function lockUser(tx: Executor, username: string): Promise<LockedUser | undefined> {
  return (await locked(tx, username))[0]
}

/** Undefined members are not changed. */
export type AccountChanges = {
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  profile?: string | undefined
  /** Base64. */
  avatar?: string | null | undefined
  /** A new hash invalidates all refresh tokens. */
  passwordHash?: string | undefined
}

type Changed = AccountChanges & { username: string; hasAvatar: boolean }

const changed = statement<UserRow, Changed>(`
  update account
     set email = coalesce(:email, email), first_name = coalesce(:firstName, first_name),
         last_name = coalesce(:lastName, last_name), profile = coalesce(:profile::json, profile),
         avatar = case when :hasAvatar then :avatar else avatar end,
         password_hash = coalesce(:passwordHash, password_hash),
         token_generation = token_generation + case when :passwordHash::text is null then 0 else 1 end,
         email_confirmed = email_confirmed
           and (:email::text is null or email_key = ${addressKeyOf(':email')}),
         version = version + 1
   where username = :username
  returning ${userColumns}`)

/** A changed address is unconfirmed. */
export async function updateUser(
  tx: Executor,
  username: string,
  changes: AccountChanges,
): Promise<UserRow> {
  const { email, firstName, lastName, profile, avatar, passwordHash } = changes
  const [row] = await changed(tx, {
    username,
    email,
    firstName,
    lastName,
    profile,
    hasAvatar: avatar !== undefined,
    avatar,
    passwordHash,
  })
  if (!row) throw new Error('locked account not found')
  return row
}
