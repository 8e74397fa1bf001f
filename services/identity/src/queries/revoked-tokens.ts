import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.js'

type Db = Kysely<Database>

export async function revoke(db: Db, token: { id: string; expiresOn: number }): Promise<void> {
  await db
    .insertInto('revoked_token')
    .values({ id: token.id, expires_on: new Date(token.expiresOn) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isRevoked(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('revoked_token')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Those that have expired; nothing else refuses them any more, and nothing needs to. */
export async function forgetExpired(db: Db): Promise<void> {
  await db.deleteFrom('revoked_token').where('expires_on', '<', sql<Date>`now()`).execute()
}

/** Ends all refresh tokens and browser sessions that the user has until now. */
export async function endSessions(db: Db, username: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ token_generation: sql<number>`token_generation + 1` })
    .where('username', '=', username)
    .execute()
}
