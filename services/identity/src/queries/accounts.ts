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

export type AccountsWanted = {
  /** What a name or the address begins with; empty: any. */
  prefix: string
  isActive: boolean | undefined
  /** The username at which the page before ended; empty: the first page. */
  after: string
  limit: number
}

/**
 * By username, those who left not. A bitmap of the three indexes of names and account_email_prefix_idx with
 * a prefix, account_inactive_idx for those that are not active, else account_pkey.
 */
export function accountsQuery(db: Db, { prefix, isActive, after, limit }: AccountsWanted) {
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

/** As in the column `email_key`. */
const addressKey = (text: string) => sql`lower(normalize(${text}::text, nfc) collate "und-x-icu")`

export const listAccounts = (db: Db, wanted: AccountsWanted): Promise<AccountRow[]> =>
  accountsQuery(db, wanted).execute()
