import { isUuid } from '@figbase/kit/ids'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { sshKeyNotFound } from '../../errors.js'
import { findSshKey } from '../../queries/ssh-keys.js'
import type { SshKeysImpl } from './checked.js'
import { toSshKey } from './wire.js'

export function getSshKey({ db }: Ctx): SshKeysImpl['getSshKey'] {
  return async ({ id }, call) => {
    const owner = requireUnbound(call)
    const row = isUuid(id) ? await findSshKey(db, id, owner) : undefined
    if (!row) throw sshKeyNotFound()
    return { key: toSshKey(row) }
  }
}
