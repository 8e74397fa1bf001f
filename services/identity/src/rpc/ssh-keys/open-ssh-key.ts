import { isUuid } from '@figbase/kit/ids'
import { unseal } from '@figbase/kit/keys'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { sshKeyNotFound } from '../../errors.js'
import { findSealedKey } from '../../queries/ssh-keys.js'
import type { SshKeysImpl } from './checked.js'
import { toSshKey } from './wire.js'

export function openSshKey(ctx: Ctx): SshKeysImpl['openSshKey'] {
  return async ({ id }, call) => {
    const owner = requireUser(call)
    const row = isUuid(id) ? await findSealedKey(ctx.db, id, owner) : undefined
    if (!row) throw sshKeyNotFound()
    const privateKey = unseal(ctx.sshKeyRing, row.private_key_sealed, row.id)
    return { key: toSshKey(row), privateKey }
  }
}
