import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { isUsername } from '../../domain/new-user.js'
import { listValidKeys } from '../../queries/api-keys.js'
import { listActive } from '../../queries/credentials.js'
import type { AccountsImpl } from '../../routes.js'

const itemsMax = 1000

export function listCredentials({ db }: Ctx): AccountsImpl['listCredentials'] {
  return async ({ usernames, apiKeyIds }, call) => {
    requireSystem(call)
    requireFew('usernames', usernames)
    requireFew('api_key_ids', apiKeyIds)
    const ids = apiKeyIds.filter(isUuid)
    const [users, keys] = await Promise.all([
      listActive(db, usernames.filter(isUsername)),
      ids.length > 0 ? listValidKeys(db, ids) : [],
    ])
    return {
      users: users.map(({ username, token_generation: tokenGeneration }) => ({
        username,
        tokenGeneration,
      })),
      apiKeyIds: keys.map(({ id }) => id),
    }
  }
}

function requireFew(field: string, items: string[]) {
  if (items.length > itemsMax) throw invalid(field, `must have at most ${itemsMax} items`)
}
