import { type Kysely, sql } from 'kysely'
import type { AccountTable, Database } from '../db/schema.js'
import { namesLike, prefixPattern } from './users.js'

type Db = Kysely<Database>

export type AccountRow = Pick<AccountTable, 'username' | 'email' | 'first_name' | 'last_name'> & {
  email_confirmed: boolean
  is_active: boolean
  is_staff: boolean
  date_joined: string
  last_sign_in: string | null
}

export type ListAccountsOptions = {
  /** Prefix of a name or of the address; empty: any. */
  prefix: string
  isActive: boolean | undefined
  /** The last username of the previous page; empty: the first page. */
  after: string
  limit: number
}

/**
 * Ordered by username, without deleted accounts. Uses a bitmap of the three name indexes and account_email_prefix_idx
 * with a prefix, account_inactive_idx for inactive accounts, otherwise account_pkey.
 */
export function accountsQuery(db: Db, { prefix, isActive, after, limit }: ListAccountsOptions) {
  let query = db
    .selectFrom('account')
    .select(['username', 'email', 'email_confirmed', 'first_name', 'last_name'])
    .select(['is_active', 'is_staff', 'date_joined', 'last_sign_in'])
    .where('deleted_on', 'is', null)
  if (isActive === true) query = query.where('is_active', '=', true)
  if (isActive === false) query = query.where(sql<boolean>`not is_active`)
  if (after) query = query.where('username', '>', after)
  if (prefix) {
    const pattern = prefixPattern(prefix)
    query = query.where(
      sql<boolean>`(${namesLike(pattern)} or email_key like (${addressKey(pattern)} collate "default"))`,
    )
  }
  return query.orderBy('username').limit(limit)
}

/** The expression of the column `email_key`. */
const addressKey = (text: string) => sql`lower(normalize(${text}::text, nfc) collate "und-x-icu")`

export const listAccounts = (db: Db, options: ListAccountsOptions): Promise<AccountRow[]> =>
  accountsQuery(db, options).execute()
