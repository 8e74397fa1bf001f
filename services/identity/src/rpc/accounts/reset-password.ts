import type { ResetPasswordRequest } from '@figbase/proto/identity/accounts'
import { deletePasswordFile } from '../../admin-password-file.js'
import type { Ctx } from '../../context.js'
import { requireValid } from '../../domain/new-user.js'
import { hashPassword, passwordProblem } from '../../domain/password.js'
import { hashOf } from '../../domain/random-token.js'
import { linkRefused } from '../../errors.js'
import { limitFailedLinks } from '../../mail-limits.js'
import { mailPasswordChanged } from '../../mails.js'
import { resetPassword as resetRow } from '../../queries/account-changes.js'
import { consumeMailToken, endMailTokens, findMailToken } from '../../queries/mail-tokens.js'
import type { AccountsImpl } from '../../routes.js'

export function resetPassword(ctx: Ctx): AccountsImpl['resetPassword'] {
  return (req, call) => limitFailedLinks(ctx.limits, call, () => reset(ctx, req))
}

async function reset(ctx: Ctx, { token, password }: ResetPasswordRequest) {
  const hash = hashOf(token)
  const known = await findMailToken(ctx.db, hash, 'reset_password')
  if (!known) throw linkRefused()
  const { username, email } = known
  requireValid('password', passwordProblem(password, username, email))
  const passwordHash = await ctx.hashing(() => hashPassword(password))
  await ctx.transact(async (tx) => {
    const taken = await consumeMailToken(tx, hash, 'reset_password')
    const user = taken && (await resetRow(tx, taken, passwordHash))
    if (!user) throw linkRefused()
    if (user.email_confirmed) await endMailTokens(tx, username, ['verify_email'])
    await mailPasswordChanged(ctx, tx, user)
  })
  await deletePasswordFile(ctx, username)
  return { username }
}
