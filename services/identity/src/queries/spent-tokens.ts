import { statement } from '@figbase/kit'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.js'
import { isSignInStale } from './sign-ins.js'

type Db = Kysely<Database>

const inserted = statement<{ id: string }>(
  'insert into spent_token (id, expires_on) values ($1, $2) on conflict do nothing returning id',
)

/** Ends a token; answers whether it was not ended before: of two at a time, one is first. */
export async function spend(db: Db, token: { id: string; expiresOn: number }): Promise<boolean> {
  const rows = await inserted(db, token.id, new Date(token.expiresOn))
  return rows.length > 0
}

export type TokenState = {
  is_spent: boolean
  /** Whether its last use is to be written again. */
  is_stale: boolean
}

const state = statement<TokenState>(`
  select exists (select from spent_token t where t.id = $1::uuid) as is_spent,
         ${isSignInStale('$1::uuid')} as is_stale`)

/** By spent_token_pkey and sign_in_pkey. */
export async function getTokenState(db: Db, id: string): Promise<TokenState> {
  const [row] = await state(db, id)
  if (!row) throw new Error('a select without a table answered nothing')
  return row
}

/** Those that have expired: nothing needs to know of them any more. By spent_token_expires_idx. */
export async function forgetExpired(db: Db): Promise<void> {
  await db.deleteFrom('spent_token').where('expires_on', '<', sql<Date>`now()`).execute()
}

/** Ends all refresh tokens and browser sessions that the user has until now. */
export async function endSessions(db: Db, username: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ token_generation: sql<number>`token_generation + 1` })
    .where('username', '=', username)
    .execute()
}
