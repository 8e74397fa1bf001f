import { isUuid, requireUnbound } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { noSuchSshKey } from '../../errors.js'
import { holdAccount } from '../../queries/held-account.js'
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
    if (!isUuid(id)) throw noSuchSshKey()
    const row = await ctx.transact(async (tx) => {
      await holdAccount(tx, owner)
      if (isDefault) await clearOtherDefault(tx, owner, id)
      const row = await updateRow(tx, id, owner, change)
      // Thrown in here: the default stays what it was.
      if (!row) throw noSuchSshKey()
      return row
    })
    return { key: toSshKey(row) }
  }
}
