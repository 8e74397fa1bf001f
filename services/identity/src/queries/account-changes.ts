import { type Executor, statement } from '@figbase/kit'
import type { UserRow } from '../db/schema.js'
import { addressKeyOf, type Claim } from './addresses.js'
import { userColumns } from './users.js'

const reset = statement<UserRow>(`
  update account a
     set password_hash = $3, token_generation = token_generation + 1, version = version + 1,
         email_confirmed = email_confirmed or (email = $2 and not exists (
           select from account o where o.email_key = a.email_key and o.email_confirmed))
   where username = $1 and is_active
  returning ${userColumns}`)

/**
 * A new password for who reads the mail of an address, which is confirmed by it if it is still that of the
 * account and nobody else's. Undefined when the account is not active.
 */
export async function resetPassword(
  tx: Executor,
  { username, email }: Claim,
  passwordHash: string,
): Promise<UserRow | undefined> {
  return (await reset(tx, username, email, passwordHash))[0]
}

export type HeldUser = Omit<UserRow, 'avatar'>

const held = statement<HeldUser>(`
  select username, email, first_name, last_name, password_hash, date_joined, is_active, is_staff,
         email_confirmed, using_auth0, version, token_generation, profile::text as profile
    from account where username = $1 and deleted_on is null for no key update`)

/** Who else changes the account waits until the end. By account_pkey. */
export async function lockUser(tx: Executor, username: string): Promise<HeldUser | undefined> {
  return (await held(tx, username))[0]
}

/** What is undefined stays as it is. */
export type AccountChanges = {
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  profile?: string | undefined
  /** Base64. */
  avatar?: string | null | undefined
  /** Another one ends all refresh tokens. */
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

/** An address that is another one is not confirmed. */
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
  if (!row) throw new Error('a locked account is gone')
  return row
}
