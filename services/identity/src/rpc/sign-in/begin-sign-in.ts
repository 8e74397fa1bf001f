import type { Ctx } from '../../context.js'
import { noProvider } from '../../errors.js'
import type { SignInImpl } from '../../routes.js'
import { beginFlow } from '../../sso/code-flow.js'

export function beginSignIn(ctx: Ctx): SignInImpl['beginSignIn'] {
  return async (req) => {
    const { provider } = ctx
    if (!provider?.settings.clientId) throw noProvider()
    return beginFlow(ctx, provider, req)
  }
}
