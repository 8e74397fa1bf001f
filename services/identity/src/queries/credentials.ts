import { type Executor, statement } from '@figbase/kit/db'

export type UserCredentials = { username: string; token_generation: number }

const activeUsers = statement<UserCredentials>(`
  select username, token_generation from account
   where lower(username collate "C") = any($1::text[]) and is_active and deleted_on is null`)

/** Active users; usernames are compared case-insensitively and must be well formed. By account_username_lower_key. */
export const listActive = (db: Executor, usernames: string[]): Promise<UserCredentials[]> =>
  activeUsers(db, [...new Set(usernames.map((name) => name.toLowerCase()))])
