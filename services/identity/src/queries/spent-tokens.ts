import { statement } from '@figbase/kit'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.js'

type Db = Kysely<Database>

const spent = statement<{ id: string }>(`
  insert into spent_token (id, expires_on) values ($1, to_timestamp($2::float8 / 1000))
  on conflict do nothing returning id`)

/** Whether it was not spent before; remembered until it expires. */
export async function spend(db: Db, id: string, expiresOnMs: number): Promise<boolean> {
  return (await spent(db, id, expiresOnMs)).length > 0
}

const removed = statement<never>('delete from spent_token where expires_on < now()')

/** By spent_token_expires_idx. */
export async function removeExpired(db: Db): Promise<void> {
  await removed(db)
}

const holder = statement<{ username: string; is_staff: boolean }>(`
  select a.username, a.is_staff from account a
   where a.username = $1 and a.is_active and a.token_generation = $2
     and not exists (select from spent_token s where s.id = $3::uuid)`)

export type SessionHolder = { username: string; is_staff: boolean }

/** Whose session it still is. By account_pkey and spent_token_pkey. */
export async function findSessionHolder(
  db: Db,
  { username, generation, id }: { username: string; generation: number; id: string },
): Promise<SessionHolder | undefined> {
  return (await holder(db, username, generation, id))[0]
}
