import { isUuid } from '@figbase/kit/ids'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { sshKeyNotFound } from '../../errors.js'
import { lockAccount } from '../../queries/lock-account.js'
import { clearOtherDefault, updateSshKey as updateRow } from '../../queries/ssh-keys.js'
import { checkedName, type SshKeysImpl } from './checked.js'
import { toSshKey } from './wire.js'

export function updateSshKey(ctx: Ctx): SshKeysImpl['updateSshKey'] {
  return async ({ id, name, isDefault }, call) => {
    const owner = requireUnbound(call)
    const change = {
      name: name === undefined ? null : checkedName(name),
      isDefault: isDefault ?? null,
    }
    if (!isUuid(id)) throw sshKeyNotFound()
    const row = await ctx.transact(async (tx) => {
      await lockAccount(tx, owner)
      if (isDefault) await clearOtherDefault(tx, owner, id)
      const row = await updateRow(tx, id, owner, change)
      // Thrown inside the transaction, so that the default is not changed.
      if (!row) throw sshKeyNotFound()
      return row
    })
    return { key: toSshKey(row) }
  }
}
