import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { listUsers as listRows } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { toUser } from '../wire.js'

const usersMax = 1000

/** No permission check: only other services call this. */
export function listUsers({ db }: Ctx): Impl['listUsers'] {
  return async ({ usernames }) => {
    if (usernames.length > usersMax)
      throw invalid('usernames', `must have at most ${usersMax} items`)
    const rows = await listRows(db, usernames.filter(isUsername))
    return { users: rows.map((row) => toUser(row, '')) }
  }
}
