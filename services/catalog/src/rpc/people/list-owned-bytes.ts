import { invalid } from '@figbase/kit/errors'
import { requireStaff } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { listOwnedBytes as listBytes } from '../../queries/people.js'
import type { PeopleImpl } from '../../routes.js'

const usernamesMax = 1000

export function listOwnedBytes({ db }: Ctx): PeopleImpl['listOwnedBytes'] {
  return async ({ usernames }, call) => {
    requireStaff(call)
    if (usernames.length > usernamesMax)
      throw invalid('usernames', `must have at most ${usernamesMax} items`)
    return { owned: await listBytes(db, usernames) }
  }
}
