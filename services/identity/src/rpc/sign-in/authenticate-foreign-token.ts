import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { requireSystem, tokenNotValid } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { countingRefusals } from '../../limits.js'
import type { SignInImpl } from '../../routes.js'
import { askUserinfo, readAccessToken } from '../../sso/access-token.js'
import { accountOf } from '../../sso/account-of.js'

export function authenticateForeignToken(ctx: Ctx): SignInImpl['authenticateForeignToken'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const { provider } = ctx
    if (!provider) throw tokenNotValid()
    const read = await countingRefusals(ctx.limits, call, () => readAccessToken(provider, token))
    const user = await accountOf(ctx, read, async () => {
      if (read.claims.email) return read.claims
      const asked = await askUserinfo(provider, await provider.discover(), token, read.subject)
      return { ...read.claims, ...asked }
    })
    return {
      principal: { username: user.username, isStaff: user.is_staff },
      expiresOn: timestampFromMs(read.expiresOnMs),
    }
  }
}
