import { notFound } from '@figbase/kit/errors'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { notYourAccount } from '../../errors.js'
import { limitMails } from '../../mail-limits.js'
import { mailVerification } from '../../mails.js'
import { lockUser } from '../../queries/account-changes.js'
import { findUser } from '../../queries/users.js'
import type { AccountsImpl } from '../../routes.js'

export function requestEmailVerification(ctx: Ctx): AccountsImpl['requestEmailVerification'] {
  return async (req, call) => {
    const username = requireUnbound(call)
    if (req.username !== username) throw notYourAccount()
    const known = await findUser(ctx.db, username)
    if (!known) throw notFound('this user')
    if (known.email_confirmed) return {}
    await limitMails(ctx.limits, known.email, call)
    await ctx.transact(async (tx) => {
      const user = await lockUser(tx, username)
      if (user && !user.email_confirmed) await mailVerification(ctx, tx, user)
    })
    return {}
  }
}
