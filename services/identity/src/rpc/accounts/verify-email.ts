import type { VerifyEmailRequest } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../../context.js'
import { hashOf } from '../../domain/random-token.js'
import { linkRefused } from '../../errors.js'
import { limitFailedLinks } from '../../mail-limits.js'
import { confirmAddress } from '../../queries/addresses.js'
import { consumeMailToken } from '../../queries/mail-tokens.js'
import type { AccountsImpl } from '../../routes.js'

export function verifyEmail(ctx: Ctx): AccountsImpl['verifyEmail'] {
  return (req, call) => limitFailedLinks(ctx.limits, call, () => confirm(ctx, req))
}

async function confirm(ctx: Ctx, req: VerifyEmailRequest) {
  const hash = hashOf(req.token)
  const username = await ctx.transact(async (tx) => {
    const token = await consumeMailToken(tx, hash, 'verify_email')
    const matchesUser = token && (!req.username || req.username === token.username)
    if (!matchesUser || !(await confirmAddress(tx, token))) throw linkRefused()
    return token.username
  })
  return { username }
}
