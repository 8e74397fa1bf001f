import { isUuid, requireSignIn } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { noSuchSshKey } from '../../errors.js'
import { deleteSshKey as deleteRow } from '../../queries/ssh-keys.js'
import type { SshKeysImpl } from './checked.js'

export function deleteSshKey(ctx: Ctx): SshKeysImpl['deleteSshKey'] {
  return async ({ id }, call) => {
    const owner = requireSignIn(call)
    const isGone = isUuid(id) && (await ctx.write((db) => deleteRow(db, id, owner)))
    if (!isGone) throw noSuchSshKey()
    return {}
  }
}
