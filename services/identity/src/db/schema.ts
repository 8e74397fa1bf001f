import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

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

export type ApiKeyTable = {
  id: string
  seq: GeneratedAlways<bigint>
  /** A username. */
  owner: string
  name: string
  /** SHA-256. */
  token_hash: Buffer
  /** The one workspace that it is for; null: all that its owner can reach. */
  workspace_id: string | null
  created_on: Generated<string>
  expires_on: string | null
  /** Up to a minute behind. */
  last_used_on: string | null
}

/** Refresh tokens that were ended before their time. */
export type RevokedTokenTable = { id: string; expires_on: Date }

export type Database = {
  account: AccountTable
  api_key: ApiKeyTable
  revoked_token: RevokedTokenTable
}

export type UserRow = Selectable<AccountTable>
export type NewUser = Insertable<AccountTable>
