import { type Executor, type IssuedToken, statement } from '@figbase/kit'
import { isSignInStale } from './sign-ins.js'
import type { Login } from './users.js'

export type SessionHolder = Pick<Login, 'username' | 'is_staff'> & {
  /** Whether its last use is to be written again. */
  is_stale: boolean
}

const holder = statement<SessionHolder>(`
  select a.username, a.is_staff, ${isSignInStale('$3::uuid')} as is_stale from account a
   where a.username = $1 and a.is_active and a.deleted_on is null and a.token_generation = $2
     and not exists (select from spent_token t where t.id = $3::uuid)`)

/** Whose session it still is. By account_pkey, spent_token_pkey and sign_in_pkey. */
export async function findSessionHolder(
  db: Executor,
  { username, generation, id }: IssuedToken,
): Promise<SessionHolder | undefined> {
  return (await holder(db, username, generation, id))[0]
}
