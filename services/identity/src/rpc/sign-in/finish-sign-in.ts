import type { Ctx } from '../../context.js'
import { noProvider } from '../../errors.js'
import type { SignInImpl } from '../../routes.js'
import { recordSignIn } from '../../sign-in.js'
import { finishFlow } from '../../sso/code-flow.js'
import { accountOfIdentity } from '../../sso/identity-account.js'

export function finishSignIn(ctx: Ctx): SignInImpl['finishSignIn'] {
  return async (req, call) => {
    const { provider } = ctx
    if (!provider) throw noProvider()
    const finished = await finishFlow(ctx, provider, req)
    const user = await accountOfIdentity(ctx, finished, finished.claims, req.mailLanguage)
    const session = ctx.tokens.session(user)
    const token = ctx.tokens.readSession(session.token)
    await recordSignIn(ctx, { token, kind: 'browser', userAgent: req.userAgent }, call)
    return { session, next: finished.next }
  }
}
