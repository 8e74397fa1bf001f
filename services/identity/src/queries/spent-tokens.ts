import { statement } from '@figbase/kit/db'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.js'
import { isSignInStale } from './sign-ins.js'

type Db = Kysely<Database>

const inserted = statement<{ id: string }>(
  'insert into spent_token (id, expires_on) values ($1, $2) on conflict do nothing returning id',
)

/** Marks a token as spent; returns true for the first of concurrent calls only. */
export async function markSpent(
  db: Db,
  token: { id: string; expiresOn: number },
): Promise<boolean> {
  const rows = await inserted(db, token.id, new Date(token.expiresOn))
  return rows.length > 0
}

export type TokenState = {
  is_spent: boolean
  /** Whether `last_used_on` must be updated. */
  is_stale: boolean
}

const state = statement<TokenState>(`
  select exists (select from spent_token t where t.id = $1::uuid) as is_spent,
         ${isSignInStale('$1::uuid')} as is_stale`)

/** By spent_token_pkey and sign_in_pkey. */
export async function getTokenState(db: Db, id: string): Promise<TokenState> {
  const [row] = await state(db, id)
  if (!row) throw new Error('token state query returned no row')
  return row
}

/** Expired tokens are rejected anyway. By spent_token_expires_idx. */
export async function deleteExpiredSpentTokens(db: Db): Promise<void> {
  await db.deleteFrom('spent_token').where('expires_on', '<', sql<Date>`now()`).execute()
}

/** Ends all current refresh tokens and browser sessions of the user. */
export async function endSessions(db: Db, username: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ token_generation: sql<number>`token_generation + 1` })
    .where('username', '=', username)
    .execute()
}
