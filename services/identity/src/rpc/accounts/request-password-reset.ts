import type { Ctx } from '../../context.js'
import { emailProblem, refuse } from '../../domain/new-user.js'
import { mailPasswordResetsJob } from '../../jobs/mail-password-resets.js'
import { requireMails } from '../../mail-limits.js'
import type { AccountsImpl } from '../../routes.js'

export function requestPasswordReset(ctx: Ctx): AccountsImpl['requestPasswordReset'] {
  return async ({ email }, call) => {
    refuse('email', emailProblem(email))
    await requireMails(ctx.limits, email, call)
    // Of many who ask at once one mail comes.
    const key = email.normalize('NFC').toLowerCase()
    await ctx.transact((tx) => ctx.enqueue(tx, mailPasswordResetsJob, { email }, { key }))
    return {}
  }
}
