import { requireSignIn } from '@figbase/kit/rpc'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import { asAdministrator, requireOtherAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import { updateStaff } from '../../queries/account-states.js'
import type { AccountsImpl } from '../../routes.js'
import { toAccountState } from '../../wire.js'

export function setUserStaff(ctx: Ctx): AccountsImpl['setUserStaff'] {
  return async ({ username, isStaff }, call) => {
    requireSignIn(call)
    const state = await asAdministrator(ctx, username, call, async (tx, user, record) => {
      if (user.is_staff === isStaff) return user
      if (!isStaff) await requireOtherAdministrator(tx, user)
      await record(isStaff ? StaffActionKind.MAKE_STAFF : StaffActionKind.REMOVE_STAFF)
      return updateStaff(tx, username, isStaff)
    })
    return { state: toAccountState(state) }
  }
}
