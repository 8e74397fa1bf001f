import type { Ctx } from '../../context.js'
import { noProvider } from '../../errors.js'
import type { SignInImpl } from '../../routes.js'
import { accountOf } from '../../sso/account-of.js'
import { finishFlow } from '../../sso/code-flow.js'

export function finishSignIn(ctx: Ctx): SignInImpl['finishSignIn'] {
  return async (req) => {
    const { provider } = ctx
    if (!provider) throw noProvider()
    const finished = await finishFlow(ctx, provider, req)
    const user = await accountOf(ctx, finished, finished.claims)
    return { session: ctx.tokens.session(user), next: finished.next }
  }
}
