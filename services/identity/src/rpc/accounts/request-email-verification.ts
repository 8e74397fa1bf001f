import { notFound, requireUnbound } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { notYourAccount } from '../../errors.js'
import { mailVerification } from '../../mails.js'
import { lockUser } from '../../queries/account-changes.js'
import type { AccountsImpl } from '../../routes.js'

export function requestEmailVerification(ctx: Ctx): AccountsImpl['requestEmailVerification'] {
  return async (req, call) => {
    const username = requireUnbound(call)
    if (req.username !== username) throw notYourAccount()
    await ctx.transact(async (tx) => {
      const user = await lockUser(tx, username)
      if (!user) throw notFound('this user')
      if (!user.email_confirmed) await mailVerification(ctx, tx, user)
    })
    return {}
  }
}
