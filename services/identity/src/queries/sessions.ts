import { type Executor, type IssuedToken, statement } from '@figbase/kit'
import type { Login } from './users.js'

export type SessionHolder = Pick<Login, 'username' | 'is_staff'>

const holder = statement<SessionHolder>(`
  select a.username, a.is_staff from account a
   where a.username = $1 and a.is_active and a.deleted_on is null and a.token_generation = $2
     and not exists (select from spent_token t where t.id = $3::uuid)`)

/** Whose session it still is. By account_pkey and spent_token_pkey. */
export async function findSessionHolder(
  db: Executor,
  { username, generation, id }: IssuedToken,
): Promise<SessionHolder | undefined> {
  return (await holder(db, username, generation, id))[0]
}
