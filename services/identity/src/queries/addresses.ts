import { type Executor, statement } from '@figbase/kit/db'

/** SQL: the normalized address for comparison, as in the column `email_key`. */
export const addressKeyOf = (value: string): string =>
  `lower(normalize(${value}::text, nfc) collate "und-x-icu")`

export type AccountAddress = { username: string; email: string }
/** `profile` is JSON text. */
export type AddressedAccount = AccountAddress & { profile: string }

const holder = statement<AddressedAccount>(`
  select username, email, profile::text as profile from account where email_key = ${addressKeyOf('$1')} and email_confirmed`)

/** The account that has confirmed this address, ignoring case. By account_email_held_key. */
export async function findConfirmedAccount(
  db: Executor,
  email: string,
): Promise<AddressedAccount | undefined> {
  return (await holder(db, email))[0]
}

const addresses = statement<AddressedAccount & { email_confirmed: boolean }>(`
  select username, email, email_confirmed, profile::text as profile from account
   where email_key = ${addressKeyOf('$1')} and is_active
   order by email_confirmed desc, date_joined limit $2`)

/** The active account that has confirmed the address, otherwise the oldest ones that claim it. By account_email_idx. */
export async function listAccountsByAddress(
  db: Executor,
  email: string,
  limit: number,
): Promise<AddressedAccount[]> {
  const found = await addresses(db, email, limit)
  return found[0]?.email_confirmed ? found.slice(0, 1) : found
}

const confirmed = statement<{ username: string }>(`
  update account set email_confirmed = true, version = version + 1
   where username = $1 and email = $2 and is_active
  returning username`)

/**
 * False when the account now has another address. Violates account_email_held_key when another account has
 * confirmed it.
 */
export async function confirmAddress(
  tx: Executor,
  { username, email }: AccountAddress,
): Promise<boolean> {
  return (await confirmed(tx, username, email)).length > 0
}
