import { type Executor, statement } from '@figbase/kit/db'

/** Tables whose rows are deleted with an account; each has an index that begins with the username. */
const owned = {
  api_key: 'owner',
  ssh_key: 'owner',
  mail_token: 'username',
  external_identity: 'username',
  metadata_proxy: 'initiator',
  sign_in: 'username',
  keyed_request: 'owner',
}

const removals = Object.entries(owned).map(([table, column]) =>
  statement<never>(`delete from ${table} where ${column} = $1`),
)

const emptied = statement<never>(`
  update account
     set email = '', first_name = '', last_name = '', password_hash = null, avatar = null,
         profile = '{}', is_active = false, is_staff = false, email_confirmed = false,
         using_auth0 = false, token_generation = token_generation + 1, version = version + 1,
         deleted_on = now(), last_sign_in = null
   where username = $1`)

/** Erases all but the username and the times of creation and deletion. */
export async function eraseAccount(tx: Executor, username: string): Promise<void> {
  for (const remove of removals) await remove(tx, username)
  await emptied(tx, username)
}
