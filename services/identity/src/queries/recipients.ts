import { type Executor, statement } from '@figbase/kit/db'
import type { UserRow } from '../db/schema.js'

export type RecipientRow = Pick<
  UserRow,
  'username' | 'email' | 'first_name' | 'last_name' | 'profile'
>

const reachable = statement<RecipientRow>(`
  select username, email, first_name, last_name,
         -- Omits profiles without mail preferences, which may be large.
         case when profile::text ~ '"(mention_emails|mail_language)"' then profile::text else '{}' end as profile
    from account
   where lower(username collate "C") = any($1::text[])
     and is_active and email_confirmed and deleted_on is null
   order by username`)

/**
 * The users that can receive mail; usernames are compared case-insensitively and must be well formed. `profile` is
 * returned only when it may contain mail preferences. By account_username_lower_key.
 */
export function listRecipients(db: Executor, usernames: string[]): Promise<RecipientRow[]> {
  return reachable(db, [...new Set(usernames.map((name) => name.toLowerCase()))])
}
