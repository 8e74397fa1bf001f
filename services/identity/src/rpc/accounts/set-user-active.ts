import { StaffActionKind } from '@figbase/proto/identity/staff'
import { asAdministrator, requireOtherAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import { mailAccountChanged } from '../../mails.js'
import { updateActive } from '../../queries/account-states.js'
import { endMailTokens } from '../../queries/mail-tokens.js'
import type { AccountsImpl } from '../../routes.js'
import { toAccountState } from '../../wire.js'

const { ACTIVATE_ACCOUNT, DEACTIVATE_ACCOUNT } = StaffActionKind

export function setUserActive(ctx: Ctx): AccountsImpl['setUserActive'] {
  return async ({ username, isActive }, call) => {
    const state = await asAdministrator(ctx, username, call, async (tx, user, record) => {
      if (user.is_active === isActive) return user
      if (!isActive) {
        await requireOtherAdministrator(tx, user)
        await endMailTokens(tx, username, ['verify_email', 'reset_password'])
      }
      await record(isActive ? ACTIVATE_ACCOUNT : DEACTIVATE_ACCOUNT)
      await mailAccountChanged(ctx, tx, user, isActive ? 'active' : 'deactivated')
      return updateActive(tx, username, isActive)
    })
    return { state: toAccountState(state) }
  }
}
