import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

export type AccountTable = {
  username: string
  email: string
  /** Normalized for comparison. */
  email_key: GeneratedAlways<string>
  first_name: string
  last_name: string
  /** Null when the user has no password. */
  password_hash: string | null
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
  deleted_on: string | null
  /** Null when there was none since it is recorded. */
  last_sign_in: string | null
}

/** A refresh token or a browser session; `id` is the id in the token. */
export type SignInTable = {
  id: string
  username: string
  kind: SignInKind
  token_generation: number
  user_agent: string
  address: string
  created_on: Generated<string>
  /** Up to an hour old. */
  last_used_on: Generated<string>
  expires_on: Date
}
export type SignInKind = 'token' | 'browser'

export type ApiKeyTable = {
  id: string
  seq: GeneratedAlways<bigint>
  /** A username. */
  owner: string
  name: string
  /** SHA-256. */
  token_hash: Buffer
  /** The only workspace that the key can access; null: all that the owner can access. */
  workspace_id: string | null
  /** Restricts what the key may do, within the permissions of the owner. */
  access: Generated<KeyAccess>
  created_on: Generated<string>
  expires_on: string | null
  /** Up to a minute old. */
  last_used_on: string | null
}

export type KeyAccess = 'read' | 'publish' | 'full'

export type ExternalIdentityTable = {
  issuer: string
  subject: string
  username: string
  linked_on: Generated<string>
}

/** A table with one row. */
export type SiteSettingsTable = {
  id: Generated<boolean>
  version: Generated<number>
  site_name: Generated<string>
  announcement: Generated<string>
  /** Null: the configured default. */
  sign_up_enabled: boolean | null
  link_sharing_enabled: Generated<boolean>
  ai_enabled: Generated<boolean>
  /** Empty when none was chosen. */
  ai_model: Generated<string>
  updated_by: string | null
  updated_on: string | null
}

export type MetadataProxyTable = {
  id: string
  /** A username. */
  initiator: string
  /** SHA-256. */
  token_hash: Buffer
  created_on: Generated<string>
  expires_on: string
  /** Null before the first post. */
  updated_on: string | null
  /** `json`; read as text, never parsed. */
  metadata: string | null
}

/** Ids that are no longer accepted before they expire: refresh tokens, sessions, and finished sign-in flows. */
export type SpentTokenTable = { id: string; expires_on: Date }

export type MailTokenTable = {
  /** SHA-256. */
  token_hash: Buffer
  username: string
  purpose: MailTokenPurpose
  /** The address that it was mailed to. */
  email: string
  expires_on: string
}
export type MailTokenPurpose = 'verify_email' | 'reset_password'

/** The login of a program without a browser. */
export type DeviceLoginTable = {
  /** SHA-256, like `user_code_hash`. */
  device_code_hash: Buffer
  user_code_hash: Buffer
  name: string
  access: KeyAccess
  user_agent: string
  address: string
  created_on: Generated<string>
  expires_on: string
  /** Null before the first poll. */
  polled_on: string | null
  /** Null before the decision. */
  is_allowed: boolean | null
  /** Who allowed it, with the token generation of the account at that time. */
  username: string | null
  token_generation: number | null
}

export type Database = {
  account: AccountTable
  api_key: ApiKeyTable
  device_login: DeviceLoginTable
  mail_token: MailTokenTable
  external_identity: ExternalIdentityTable
  spent_token: SpentTokenTable
  sign_in: SignInTable
  metadata_proxy: MetadataProxyTable
  site_settings: SiteSettingsTable
}

export type UserRow = Omit<Selectable<AccountTable>, 'email_key' | 'deleted_on' | 'last_sign_in'>
export type NewUser = Insertable<AccountTable>
