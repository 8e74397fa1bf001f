import { type Executor, statement } from '@figbase/kit'

/** What an address is compared by; the same as in the column `email_key`. */
export const addressKeyOf = (value: string): string =>
  `lower(normalize(${value}::text, nfc) collate "und-x-icu")`

export type Claim = { username: string; email: string }

const holder = statement<Claim>(`
  select username, email from account where email_key = ${addressKeyOf('$1')} and email_confirmed`)

/** Who has confirmed this address, however it is written. By account_email_held_key. */
export async function findHolder(db: Executor, email: string): Promise<Claim | undefined> {
  return (await holder(db, email))[0]
}

const claims = statement<Claim & { email_confirmed: boolean }>(`
  select username, email, email_confirmed from account
   where email_key = ${addressKeyOf('$1')} and is_active
   order by email_confirmed desc, date_joined limit $2`)

/** The active account that has confirmed this address, otherwise the oldest that claim it. By account_email_idx. */
export async function listClaims(db: Executor, email: string, limit: number): Promise<Claim[]> {
  const found = await claims(db, email, limit)
  return found[0]?.email_confirmed ? found.slice(0, 1) : found
}

const confirmed = statement<{ username: string }>(`
  update account set email_confirmed = true, version = version + 1
   where username = $1 and email = $2 and is_active
  returning username`)

/** Whether it is still the address of this account. Violates account_email_held_key when somebody else holds it. */
export async function confirmAddress(tx: Executor, { username, email }: Claim): Promise<boolean> {
  return (await confirmed(tx, username, email)).length > 0
}
