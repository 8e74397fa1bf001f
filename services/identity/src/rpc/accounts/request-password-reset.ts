import type { Ctx } from '../../context.js'
import { emailProblem, requireValid } from '../../domain/new-user.js'
import { mailPasswordResetsJob } from '../../jobs/mail-password-resets.js'
import { limitMails } from '../../mail-limits.js'
import type { AccountsImpl } from '../../routes.js'

export function requestPasswordReset(ctx: Ctx): AccountsImpl['requestPasswordReset'] {
  return async ({ email }, call) => {
    requireValid('email', emailProblem(email))
    await limitMails(ctx.limits, email, call)
    // The key deduplicates concurrent requests for the same address.
    const key = email.normalize('NFC').toLowerCase()
    await ctx.transact((tx) => ctx.enqueue(tx, mailPasswordResetsJob, { email }, { key }))
    return {}
  }
}
