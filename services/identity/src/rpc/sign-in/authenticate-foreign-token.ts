import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { requireSystem, tokenNotValid } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { countingRefusals } from '../../limits.js'
import type { SignInImpl } from '../../routes.js'
import { readAccessToken } from '../../sso/access-token.js'
import { accountOf } from '../../sso/account-of.js'
import { completed } from '../../sso/userinfo.js'

export function authenticateForeignToken(ctx: Ctx): SignInImpl['authenticateForeignToken'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const { provider } = ctx
    if (!provider) throw tokenNotValid()
    const read = await countingRefusals(ctx.limits, call, () => readAccessToken(provider, token))
    const user = await accountOf(ctx, read, () => completed(provider, read.claims, token))
    return {
      principal: { username: user.username, isStaff: user.is_staff },
      expiresOn: timestampFromMs(read.expiresOnMs),
    }
  }
}
