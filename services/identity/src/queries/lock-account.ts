import { type Executor, statement } from '@figbase/kit/db'
import { authenticationFailed } from '../errors.js'

const locked = statement<{ username: string }>(`
  select username from account
   where username = $1 and is_active and deleted_on is null for no key update`)

/**
 * Locks an active account until the transaction ends, against concurrent additions and deletion. Throws 401 when it is
 * deleted or inactive: its access tokens stay valid for some minutes. By account_pkey.
 */
export async function lockAccount(tx: Executor, username: string): Promise<void> {
  const rows = await locked(tx, username)
  if (rows.length === 0) throw authenticationFailed()
}
