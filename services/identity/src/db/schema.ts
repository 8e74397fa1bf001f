import type { Generated, Insertable, Selectable } from 'kysely'

export type AccountTable = {
  username: string
  email: string
  first_name: string
  last_name: string
  password_hash: string
  /** `timestamptz`, as text with microseconds. */
  date_joined: Generated<string>
  is_active: Generated<boolean>
  is_staff: Generated<boolean>
  email_confirmed: Generated<boolean>
  using_auth0: Generated<boolean>
  avatar: string | null
  /** `json`; read as text, never parsed. */
  profile: Generated<string>
  version: Generated<number>
  token_generation: Generated<number>
}

export type Database = { account: AccountTable }

export type UserRow = Selectable<AccountTable>
export type NewUser = Insertable<AccountTable>
