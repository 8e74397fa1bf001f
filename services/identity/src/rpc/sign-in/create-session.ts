import type { Ctx } from '../../context.js'
import type { SignInImpl } from '../../routes.js'
import { recordSignIn } from '../../sign-in.js'
import { authenticatePassword } from '../issue-token.js'

export function createSession(ctx: Ctx): SignInImpl['createSession'] {
  return async (req, call) => {
    const session = ctx.tokens.session(await authenticatePassword(ctx, req, call))
    const token = ctx.tokens.readSession(session.token)
    await recordSignIn(ctx, { token, kind: 'browser', userAgent: req.userAgent }, call)
    return { session }
  }
}
