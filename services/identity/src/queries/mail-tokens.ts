import { type Executor, statement } from '@figbase/kit/db'
import type { MailTokenPurpose } from '../db/schema.js'

export type NewMailToken = {
  tokenHash: Buffer
  username: string
  purpose: MailTokenPurpose
  email: string
  lifeMs: number
}

const inserted = statement<{ expires_on: string }, NewMailToken>(`
  insert into mail_token (token_hash, username, purpose, email, expires_on)
  values (:tokenHash, :username, :purpose, :email, now() + :lifeMs * interval '1 ms')
  on conflict on constraint mail_token_username_purpose_key do update
    set token_hash = excluded.token_hash, email = excluded.email, expires_on = excluded.expires_on
  returning expires_on`)

/** Returns when it expires. Replaces an older token of the same account and purpose. */
export async function insertMailToken(db: Executor, token: NewMailToken): Promise<string> {
  const [row] = await inserted(db, token)
  if (!row) throw new Error('a mail token was not inserted')
  return row.expires_on
}

export type MailToken = { username: string; email: string }

const valid = statement<MailToken>(`
  select username, email from mail_token
   where token_hash = $1 and purpose = $2 and expires_on > now()`)

/** Undefined when the token was used, replaced or revoked, or has expired. By mail_token_pkey. */
export async function findMailToken(
  db: Executor,
  hash: Buffer,
  purpose: MailTokenPurpose,
): Promise<MailToken | undefined> {
  return (await valid(db, hash, purpose))[0]
}

const taken = statement<MailToken>(`
  delete from mail_token where token_hash = $1 and purpose = $2 and expires_on > now()
  returning username, email`)

/** Like findMailToken, but deletes the token: of two concurrent calls, one gets it. */
export async function consumeMailToken(
  tx: Executor,
  hash: Buffer,
  purpose: MailTokenPurpose,
): Promise<MailToken | undefined> {
  return (await taken(tx, hash, purpose))[0]
}

const ended = statement<never>(
  'delete from mail_token where username = $1 and purpose = any($2::text[])',
)

/** By mail_token_username_purpose_key. */
export async function endMailTokens(
  tx: Executor,
  username: string,
  purposes: MailTokenPurpose[],
): Promise<void> {
  await ended(tx, username, purposes)
}

const expired = statement<never>('delete from mail_token where expires_on <= now()')

/** By mail_token_expiry_idx. */
export async function deleteExpiredMailTokens(db: Executor): Promise<void> {
  await expired(db)
}
