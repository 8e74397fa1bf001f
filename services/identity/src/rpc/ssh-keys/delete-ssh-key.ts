import { isUuid } from '@figbase/kit/ids'
import { requireSignIn } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { sshKeyNotFound } from '../../errors.js'
import { deleteSshKey as deleteRow } from '../../queries/ssh-keys.js'
import type { SshKeysImpl } from './checked.js'

export function deleteSshKey(ctx: Ctx): SshKeysImpl['deleteSshKey'] {
  return async ({ id }, call) => {
    const owner = requireSignIn(call)
    const isDeleted = isUuid(id) && (await ctx.write((db) => deleteRow(db, id, owner)))
    if (!isDeleted) throw sshKeyNotFound()
    return {}
  }
}
