import { type Executor, statement } from '@figbase/kit'
import { authenticationFailed } from '../errors.js'

const held = statement<{ username: string }>(`
  select username from account
   where username = $1 and is_active and deleted_on is null for no key update`)

/**
 * Who else adds something to the account, or ends it, waits until the transaction does. 401 when it has ended: an
 * access token outlives it by minutes. By account_pkey.
 */
export async function holdAccount(tx: Executor, username: string): Promise<void> {
  const rows = await held(tx, username)
  if (rows.length === 0) throw authenticationFailed()
}
