import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { findApiKey } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'
import { toApiKey } from '../wire.js'

export function getApiKey({ db }: Ctx): Impl['getApiKey'] {
  return async ({ id }, call) => {
    const owner = requireUser(call)
    const key = isUuid(id) ? await findApiKey(db, id, owner, onlyWorkspace(call)) : undefined
    if (!key) throw notFound('this API key')
    return { key: toApiKey(key) }
  }
}
