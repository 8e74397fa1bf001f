import { type Executor, statement } from '@figbase/kit/db'
import type { IssuedToken } from '@figbase/kit/keys'
import { type Kysely, sql } from 'kysely'
import type { Database, SignInKind } from '../db/schema.js'

type Db = Kysely<Database>

export type SignInRow = {
  id: string
  kind: SignInKind
  user_agent: string
  address: string
  created_on: string
  last_used_on: string
  expires_on: string
}

export type NewSignIn = {
  token: IssuedToken
  kind: SignInKind
  userAgent: string
  address: string
}

type Inserted = Omit<NewSignIn, 'token'> &
  Pick<IssuedToken, 'id' | 'username' | 'generation'> & { expiresOn: Date }

const inserted = statement<never, Inserted>(`
  with begun as (
    insert into sign_in (id, username, kind, token_generation, user_agent, address, expires_on)
    values (:id, :username, :kind, :generation, :userAgent, :address, :expiresOn)
  )
  update account set last_sign_in = now() where username = :username`)

/** Also updates `last_sign_in` of the account. */
export async function insertSignIn(db: Executor, { token, ...signIn }: NewSignIn): Promise<void> {
  const { id, username, generation, expiresOn } = token
  await inserted(db, { ...signIn, id, username, generation, expiresOn: new Date(expiresOn) })
}

/** Not expired, and not ended individually or by a new token generation. */
const isOpen = `
  s.expires_on > now() and a.token_generation = s.token_generation and a.is_active
  and not exists (select from spent_token t where t.id = s.id)`

const listed = statement<SignInRow>(`
  select s.id, s.kind, s.user_agent, s.address, s.created_on, s.last_used_on,
         s.expires_on::text as expires_on
    from sign_in s join account a on a.username = s.username
   where s.username = $1 and ${isOpen}
   order by s.created_on desc, s.id desc limit $2`)

/** Newest first. By sign_in_username_idx, account_pkey and spent_token_pkey. */
export const listSignIns = (db: Executor, username: string, limit: number) =>
  listed(db, username, limit)

const ended = statement<{ id: string }>(`
  with gone as (
    delete from sign_in s using account a
     where s.id = $2::uuid and s.username = $1 and a.username = s.username and ${isOpen}
    returning s.id, s.expires_on
  )
  insert into spent_token (id, expires_on) select id, expires_on from gone
  on conflict do nothing returning id`)

/** Ends a sign-in; false when the account has none with this id. By sign_in_pkey. */
export async function endSignIn(db: Executor, username: string, id: string): Promise<boolean> {
  return (await ended(db, username, id)).length > 0
}

const used = statement<never>('update sign_in set last_used_on = now() where id = $1')

/** Called when the lookup reports the sign-in as stale. */
export async function markSignInUsed(db: Executor, id: string): Promise<void> {
  await used(db, id)
}

/** SQL: whether `last_used_on` of a sign-in is older than an hour. */
export const isSignInStale = (id: string): string => `
  exists (select from sign_in s where s.id = ${id} and s.last_used_on <= now() - interval '1 hour')`

/** By sign_in_expires_idx. */
export async function deleteExpiredSignIns(db: Db): Promise<void> {
  await db.deleteFrom('sign_in').where('expires_on', '<', sql<Date>`now()`).execute()
}
