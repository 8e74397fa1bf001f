import { type Executor, statement } from '@figbase/kit'
import type { UserRow } from '../db/schema.js'

export type RecipientRow = Pick<
  UserRow,
  'username' | 'email' | 'first_name' | 'last_name' | 'profile'
>

const reachable = statement<RecipientRow>(`
  select username, email, first_name, last_name,
         -- Whoever says nothing of it may have a large one.
         case when profile::text like '%"mention_emails"%' then profile::text else '{}' end as profile
    from account
   where lower(username collate "C") = any($1::text[])
     and is_active and email_confirmed and deleted_on is null
   order by username`)

/**
 * Of these users, in any case of letters, those whom mail may be sent to; of profiles only what could say
 * something about it. The names must be well formed. By account_username_lower_key.
 */
export function listRecipients(db: Executor, usernames: string[]): Promise<RecipientRow[]> {
  return reachable(db, [...new Set(usernames.map((name) => name.toLowerCase()))])
}
