import { invalid, requireStaff } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { listOwnedBytes as listBytes } from '../../queries/people.js'
import type { PeopleImpl } from '../../routes.js'

const usernamesMax = 1000

export function listOwnedBytes({ db }: Ctx): PeopleImpl['listOwnedBytes'] {
  return async ({ usernames }, call) => {
    requireStaff(call)
    if (usernames.length > usernamesMax) throw invalid('usernames', `at most ${usernamesMax}`)
    return { owned: await listBytes(db, usernames) }
  }
}
