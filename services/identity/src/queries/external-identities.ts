import { statement } from '@figbase/kit/db'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db/schema.js'
import type { ExternalIdentity } from '../sso/access-token.js'

type Db = Kysely<Database>
type Tx = Transaction<Database>

const linked = statement<{ username: string }>(
  'select username from external_identity where issuer = $1 and subject = $2',
)

/** The username linked to the identity. By external_identity_pkey. */
export async function findLinked(
  db: Db,
  { issuer, subject }: ExternalIdentity,
): Promise<string | undefined> {
  return (await linked(db, issuer, subject))[0]?.username
}

const locked = statement<never>('select pg_advisory_xact_lock(hashtextextended($1, 1))')

/** Held until the transaction ends, so that concurrent sign-ins link or create one account only. */
export async function lockIdentity(tx: Tx, { issuer, subject }: ExternalIdentity): Promise<void> {
  await locked(tx, `${issuer} ${subject}`)
}

const inserted = statement<never>(
  'insert into external_identity (issuer, subject, username) values ($1, $2, $3)',
)
const marked = statement<never>(
  'update account set using_auth0 = true, version = version + 1 where username = $1',
)

export async function linkIdentity(
  tx: Tx,
  { issuer, subject }: ExternalIdentity,
  username: string,
): Promise<void> {
  await inserted(tx, issuer, subject, username)
  await marked(tx, username)
}

const taken = statement<{ username: string }>(`
  select lower(username collate "C") as username from account
   where lower(username collate "C") = any($1::text[])`)

/** The given lower-case usernames that are taken. By account_username_lower_key. */
export async function listTakenUsernames(db: Db, usernames: string[]): Promise<Set<string>> {
  const rows = await taken(db, usernames)
  return new Set(rows.map(({ username }) => username))
}
