import { type Executor, statement } from '@figbase/kit/db'
import type { IssuedToken } from '@figbase/kit/keys'
import { isSignInStale } from './sign-ins.js'
import type { Login } from './users.js'

export type SessionUser = Pick<Login, 'username' | 'is_staff' | 'token_generation'> & {
  /** Whether `last_used_on` must be updated. */
  is_stale: boolean
}

const holder = statement<SessionUser>(`
  select a.username, a.is_staff, a.token_generation, ${isSignInStale('$3::uuid')} as is_stale from account a
   where a.username = $1 and a.is_active and a.deleted_on is null and a.token_generation = $2
     and not exists (select from spent_token t where t.id = $3::uuid)`)

/** The user of a valid session. By account_pkey, spent_token_pkey and sign_in_pkey. */
export async function findSessionUser(
  db: Executor,
  { username, generation, id }: IssuedToken,
): Promise<SessionUser | undefined> {
  return (await holder(db, username, generation, id))[0]
}
