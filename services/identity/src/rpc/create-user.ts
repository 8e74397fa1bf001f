import type { HandlerContext } from '@connectrpc/connect'
import { callerAddress, principal } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { createAccount, toNewUser } from '../create-account.js'
import { checkNewUser } from '../domain/new-user.js'
import { hashPassword } from '../domain/password.js'
import { emailTaken, signUpDisabled, usernameTaken } from '../errors.js'
import { ensurePrimaryWorkspaceNow } from '../jobs/ensure-primary-workspace.js'
import { tooManyRegistrations } from '../limits.js'
import { countMailTo } from '../mail-limits.js'
import { mailVerification } from '../mails.js'
import { findConfirmedAccount } from '../queries/addresses.js'
import { isUsernameTaken } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { recordSignIn } from '../sign-in.js'
import { isSignUpEnabled } from '../site-settings.js'
import { toUser } from '../wire.js'

export function createUser(ctx: Ctx): Impl['createUser'] {
  return async (req, call) => {
    checkNewUser(req)
    await requireSignUp(ctx, call)
    // Avoids the cost of hashing; under concurrency the constraint decides.
    if (await isUsernameTaken(ctx.db, req.username)) throw usernameTaken()
    await countRegistration(ctx, call)
    const passwordHash = await ctx.hashing(() => hashPassword(req.password))

    const { isStaff } = principal(call)
    const mayMail = await countMailTo(ctx.limits, req.email)
    const row = await ctx.transact(async (tx) => {
      // Only staff learn that the address is in use; otherwise its owner is notified by mail.
      if (isStaff && (await findConfirmedAccount(tx, req.email))) throw emailTaken()
      const row = await createAccount(ctx, tx, toNewUser(req, passwordHash, req.mailLanguage))
      if (mayMail) await mailVerification(ctx, tx, row)
      return row
    })

    await ensurePrimaryWorkspaceNow(ctx, row.username)
    const tokens = ctx.tokens.pair(row)
    const token = ctx.tokens.readRefresh(tokens.refresh)
    await recordSignIn(ctx, { token, kind: 'token', userAgent: req.userAgent }, call)
    return { user: toUser(row, row.username), tokens }
  }
}

async function requireSignUp(ctx: Ctx, call: HandlerContext) {
  if (isTrusted(call)) return
  if (!(await isSignUpEnabled(ctx))) throw signUpDisabled()
}

async function countRegistration({ limits }: Ctx, call: HandlerContext) {
  if (isTrusted(call)) return
  const allowance = await limits.registrationsOfAddress.count(callerAddress(call))
  if (allowance.isExceeded) throw tooManyRegistrations(allowance)
}

function isTrusted(call: HandlerContext) {
  const { isStaff, isSystem } = principal(call)
  return isStaff || isSystem
}
