import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { tokenNotValid } from '@figbase/kit/keys'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { limitFailedCredentials } from '../../limits.js'
import type { SignInImpl } from '../../routes.js'
import { readAccessToken } from '../../sso/access-token.js'
import { accountOfIdentity } from '../../sso/identity-account.js'
import { withUserInfo } from '../../sso/userinfo.js'

export function authenticateForeignToken(ctx: Ctx): SignInImpl['authenticateForeignToken'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const { provider } = ctx
    if (!provider) throw tokenNotValid()
    const read = await limitFailedCredentials(ctx.limits, call, () =>
      readAccessToken(provider, token),
    )
    const user = await accountOfIdentity(ctx, read, () =>
      withUserInfo(provider, read.claims, token),
    )
    return {
      principal: { username: user.username, isStaff: user.is_staff },
      expiresOn: timestampFromMs(read.expiresOnMs),
    }
  }
}
