import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import { listDeleted } from '../queries/users.js'
import type { Impl } from '../routes.js'

const usersMax = 1000

/** No permission check: only other services call this. */
export function listDeletedUsers({ db }: Ctx): Impl['listDeletedUsers'] {
  return async ({ usernames }) => {
    if (usernames.length > usersMax) {
      throw invalid('usernames', `must have at most ${usersMax} items`)
    }
    return { usernames: await listDeleted(db, usernames) }
  }
}
