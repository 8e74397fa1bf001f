import { invalid } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { listUsers as listRows } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { toUser } from '../wire.js'

const usersMax = 1000

/** Whoever calls: our services alone do. */
export function listUsers({ db }: Ctx): Impl['listUsers'] {
  return async ({ usernames }) => {
    if (usernames.length > usersMax) throw invalid('usernames', `has more than ${usersMax}`)
    const rows = await listRows(db, usernames.filter(isUsername))
    return { users: rows.map((row) => toUser(row, '')) }
  }
}
