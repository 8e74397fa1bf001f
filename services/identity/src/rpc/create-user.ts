import type { HandlerContext } from '@connectrpc/connect'
import { principal } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { createAccount, toNewUser } from '../create-account.js'
import { checkNewUser } from '../domain/new-user.js'
import { hashPassword } from '../domain/password.js'
import { signUpDisabled, usernameTaken } from '../errors.js'
import { ensurePrimaryWorkspaceNow } from '../jobs/ensure-primary-workspace.js'
import { isUsernameTaken } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { isSignUpEnabled } from '../site-settings.js'
import { toUser } from '../wire.js'

export function createUser(ctx: Ctx): Impl['createUser'] {
  return async (req, call) => {
    checkNewUser(req)
    await requireSignUp(ctx, call)
    // Spares the hash; what decides under concurrency is the constraint.
    if (await isUsernameTaken(ctx.db, req.username)) throw usernameTaken()
    const passwordHash = await ctx.hashing(() => hashPassword(req.password))

    const row = await ctx.transact((tx) => createAccount(ctx, tx, toNewUser(req, passwordHash)))

    await ensurePrimaryWorkspaceNow(ctx, row.username)
    return { user: toUser(row, row.username), tokens: ctx.tokens.pair(row) }
  }
}

async function requireSignUp(ctx: Ctx, call: HandlerContext) {
  const { isStaff, isSystem } = principal(call)
  if (isStaff || isSystem) return
  if (!(await isSignUpEnabled(ctx))) throw signUpDisabled()
}
