import { create } from '@bufbuild/protobuf'
import { toTimestamp } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type Account, AccountFilter, AccountSchema } from '@figbase/proto/identity/accounts'
import { requireAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import { hasMoreCharacters, isUsername } from '../../domain/new-user.js'
import { type AccountRow, listAccounts as listRows } from '../../queries/accounts.js'
import type { AccountsImpl } from '../../routes.js'

const pageSizeMax = 100
const queryCharsMax = 254

export function listAccounts({ db }: Ctx): AccountsImpl['listAccounts'] {
  return async ({ query, filter, pageSize, pageToken }, call) => {
    await requireAdministrator(db, call)
    if (hasMoreCharacters(query, queryCharsMax)) {
      throw invalid('query', `may have at most ${queryCharsMax} characters`)
    }
    if (/\p{Cc}/u.test(query)) throw invalid('query', 'may not contain control characters')
    const limit = pageSize > 0 ? Math.min(pageSize, pageSizeMax) : pageSizeMax
    const after = usernameOf(pageToken)
    const isActive = isActiveByFilter[filter]
    const rows = await listRows(db, { prefix: query, isActive, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return { accounts: page.map(toAccount), nextPageToken: last ? tokenOf(last.username) : '' }
  }
}

const isActiveByFilter: Record<AccountFilter, boolean | undefined> = {
  [AccountFilter.UNSPECIFIED]: undefined,
  [AccountFilter.ACTIVE]: true,
  [AccountFilter.INACTIVE]: false,
}

const tokenOf = (username: string) => Buffer.from(username).toString('base64url')

function usernameOf(pageToken: string): string {
  const username = Buffer.from(pageToken, 'base64url').toString()
  if (pageToken === '' || (isUsername(username) && tokenOf(username) === pageToken)) return username
  throw invalid('cursor', 'is not a cursor of this list')
}

const toAccount = (row: AccountRow): Account =>
  create(AccountSchema, {
    username: row.username,
    email: row.email,
    emailConfirmed: row.email_confirmed,
    firstName: row.first_name,
    lastName: row.last_name,
    isActive: row.is_active,
    isStaff: row.is_staff,
    dateJoined: toTimestamp(row.date_joined),
    ...(row.last_sign_in && { lastSignIn: toTimestamp(row.last_sign_in) }),
  })
