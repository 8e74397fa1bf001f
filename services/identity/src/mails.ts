import {
  type AccountChange,
  accountChangedMail,
  addressChangedMail,
  addressInUseMail,
  type Executor,
  isAddress,
  type MailContent,
  passwordChangedMail,
  passwordResetMail,
  toIso,
  toTimestamp,
  verifyEmailMail,
} from '@figbase/kit'
import type { Ctx } from './context.js'
import type { MailPurpose, UserRow } from './db/schema.js'
import { hashOf, newToken } from './domain/random-token.js'
import { type Claim, findHolder, listClaims } from './queries/addresses.js'
import { insertMailToken } from './queries/mail-tokens.js'
import { getSite } from './site-settings.js'

/** Asks to confirm an address; where somebody else holds it, tells him instead. */
export async function mailVerification(ctx: Ctx, tx: Executor, claim: Claim): Promise<void> {
  const holder = await findHolder(tx, claim.email)
  if (holder && holder.username !== claim.username) {
    const inUse = { username: holder.username, resetUrl: resetUrl(ctx) }
    await send(ctx, tx, holder.email, addressInUseMail(await getSite(tx), inUse))
    return
  }
  const { username, email } = claim
  const lifeMs = ctx.cfg.emailVerificationLifeMs
  const { token, expiresOn } = await newLinkToken(tx, claim, 'verify_email', lifeMs)
  const url = `${addressOf(ctx)}/verify-email/${token}`
  const content = verifyEmailMail(await getSite(tx), { username, url, expiresOn })
  await send(ctx, tx, email, content)
}

const claimsMax = 5

/** To who reads the mail of an address: he decides of which account it shall be. */
export async function mailPasswordResets(ctx: Ctx, tx: Executor, email: string): Promise<void> {
  const claims = await listClaims(tx, email, claimsMax)
  if (claims.length === 0) return
  const site = await getSite(tx)
  for (const claim of claims) {
    const lifeMs = ctx.cfg.passwordResetLifeMs
    const { token, expiresOn } = await newLinkToken(tx, claim, 'reset_password', lifeMs)
    const { username } = claim
    const url = `${resetUrl(ctx)}/${token}`
    // As the account has it, not as somebody typed it.
    await send(ctx, tx, claim.email, passwordResetMail(site, { username, url, expiresOn }))
  }
}

/** To the address that the account had, where it had been confirmed. */
export async function mailAddressChanged(ctx: Ctx, tx: Executor, before: Holder): Promise<void> {
  const { username, email, email_confirmed } = before
  if (!email_confirmed) return
  await send(ctx, tx, email, addressChangedMail(await getSite(tx), { username }))
}

export async function mailPasswordChanged(ctx: Ctx, tx: Executor, user: Holder): Promise<void> {
  const { username, email, email_confirmed } = user
  if (!email_confirmed) return
  const change = { username, resetUrl: resetUrl(ctx) }
  await send(ctx, tx, email, passwordChangedMail(await getSite(tx), change))
}

export async function mailAccountChanged(
  ctx: Ctx,
  tx: Executor,
  { username, email, email_confirmed }: Holder,
  became: AccountChange['became'],
): Promise<void> {
  if (!email_confirmed) return
  await send(ctx, tx, email, accountChangedMail(await getSite(tx), { username, became }))
}

type Holder = Pick<UserRow, 'username' | 'email' | 'email_confirmed'>

const addressOf = ({ cfg }: Ctx) => cfg.publicUrl || `http://localhost:${cfg.port}`
const resetUrl = (ctx: Ctx) => `${addressOf(ctx)}/password-reset`

async function newLinkToken(
  tx: Executor,
  { username, email }: Claim,
  purpose: MailPurpose,
  lifeMs: number,
) {
  const token = newToken()
  const row = { username, email, tokenHash: hashOf(token), purpose, lifeMs }
  const expiresOn = new Date(toIso(toTimestamp(await insertMailToken(tx, row))))
  return { token, expiresOn }
}

/** Accounts of older versions may have addresses that no mail can be sent to. */
async function send(ctx: Ctx, tx: Executor, address: string, content: MailContent) {
  if (isAddress(address)) await ctx.sendMail(tx, { ...content, to: { address } })
}
