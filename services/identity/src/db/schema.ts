import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

export type AccountTable = {
  username: string
  email: string
  /** What it is compared by. */
  email_key: GeneratedAlways<string>
  first_name: string
  last_name: string
  /** Null: for who signs in without a password. */
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
  /** Null: not since it is recorded. */
  last_sign_in: string | null
}

/** A refresh token, or a session of a browser, by the id in it. */
export type SignInTable = {
  id: string
  username: string
  kind: SignInKind
  token_generation: number
  user_agent: string
  address: string
  created_on: Generated<string>
  /** Up to an hour behind. */
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
  /** The one workspace that it is for; null: all that its owner can reach. */
  workspace_id: string | null
  /** What may be done with it, of what its owner may do. */
  access: Generated<KeyAccess>
  created_on: Generated<string>
  expires_on: string | null
  /** Up to a minute behind. */
  last_used_on: string | null
}

export type KeyAccess = 'read' | 'publish' | 'full'

export type ExternalIdentityTable = {
  issuer: string
  subject: string
  username: string
  linked_on: Generated<string>
}

/** One row. */
export type SiteSettingsTable = {
  id: Generated<boolean>
  version: Generated<number>
  site_name: Generated<string>
  announcement: Generated<string>
  /** Null: as the configuration says. */
  sign_up_enabled: boolean | null
  link_sharing_enabled: Generated<boolean>
  ai_enabled: Generated<boolean>
  /** Empty: none was chosen. */
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

/** What ended before it expired: refresh tokens, sessions, and flows that were finished. */
export type SpentTokenTable = { id: string; expires_on: Date }

export type MailTokenTable = {
  /** SHA-256. */
  token_hash: Buffer
  username: string
  purpose: MailPurpose
  /** Where it was mailed to. */
  email: string
  expires_on: string
}
export type MailPurpose = 'verify_email' | 'reset_password'

export type Database = {
  account: AccountTable
  api_key: ApiKeyTable
  mail_token: MailTokenTable
  external_identity: ExternalIdentityTable
  spent_token: SpentTokenTable
  sign_in: SignInTable
  metadata_proxy: MetadataProxyTable
  site_settings: SiteSettingsTable
}

export type UserRow = Omit<Selectable<AccountTable>, 'email_key' | 'deleted_on' | 'last_sign_in'>
export type NewUser = Insertable<AccountTable>
