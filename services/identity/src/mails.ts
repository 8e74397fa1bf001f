import { type Executor, toIso, toTimestamp } from '@figbase/kit/db'
import { isEmailAddress, type MailContent, type MailFrame } from '@figbase/kit/mail'
import type { Ctx } from './context.js'
import type { MailTokenPurpose, UserRow } from './db/schema.js'
import { mailLanguageOf } from './domain/profile.js'
import { hashOf, newToken } from './domain/random-token.js'
import { type AccountChange, accountChangedMail } from './mail/account-changed.js'
import { addressChangedMail } from './mail/address-changed.js'
import { addressInUseMail } from './mail/address-in-use.js'
import { passwordChangedMail } from './mail/password-changed.js'
import { passwordResetMail } from './mail/password-reset.js'
import { verifyEmailMail } from './mail/verify-email.js'
import {
  type AccountAddress,
  type AddressedAccount,
  findConfirmedAccount,
  listAccountsByAddress,
} from './queries/addresses.js'
import { insertMailToken } from './queries/mail-tokens.js'
import { getSite } from './site-settings.js'

/** Mails a verification link; if another account has confirmed the address, notifies its owner instead. */
export async function mailVerification(
  ctx: Ctx,
  tx: Executor,
  account: AddressedAccount,
): Promise<void> {
  const owner = await findConfirmedAccount(tx, account.email)
  if (owner && owner.username !== account.username) {
    const inUse = { username: owner.username, resetUrl: resetUrl(ctx) }
    await send(ctx, tx, owner.email, addressInUseMail(await frameFor(tx, owner), inUse))
    return
  }
  const { username, email } = account
  const lifeMs = ctx.cfg.emailVerificationLifeMs
  const { token, expiresOn } = await newLinkToken(tx, account, 'verify_email', lifeMs)
  const url = `${baseUrl(ctx)}/verify-email/${token}`
  const content = verifyEmailMail(await frameFor(tx, account), { username, url, expiresOn })
  await send(ctx, tx, email, content)
}

const accountsMax = 5

/** Mails a reset link for each account with this address; the reader chooses the account. */
export async function mailPasswordResets(ctx: Ctx, tx: Executor, email: string): Promise<void> {
  const accounts = await listAccountsByAddress(tx, email, accountsMax)
  if (accounts.length === 0) return
  const site = await getSite(tx)
  for (const account of accounts) {
    const lifeMs = ctx.cfg.passwordResetLifeMs
    const { token, expiresOn } = await newLinkToken(tx, account, 'reset_password', lifeMs)
    const { username } = account
    const url = `${resetUrl(ctx)}/${token}`
    // To the stored address: the requested one may differ in case.
    await send(
      ctx,
      tx,
      account.email,
      passwordResetMail(
        { site, language: mailLanguageOf(account.profile) },
        { username, url, expiresOn },
      ),
    )
  }
}

/** Notifies the previous address of the account, if it was confirmed. */
export async function mailAddressChanged(ctx: Ctx, tx: Executor, before: Recipient): Promise<void> {
  const { username, email, email_confirmed } = before
  if (!email_confirmed) return
  await send(ctx, tx, email, addressChangedMail(await frameFor(tx, before), { username }))
}

export async function mailPasswordChanged(ctx: Ctx, tx: Executor, user: Recipient): Promise<void> {
  const { username, email, email_confirmed } = user
  if (!email_confirmed) return
  const change = { username, resetUrl: resetUrl(ctx) }
  await send(ctx, tx, email, passwordChangedMail(await frameFor(tx, user), change))
}

export async function mailAccountChanged(
  ctx: Ctx,
  tx: Executor,
  user: Recipient,
  became: AccountChange['became'],
): Promise<void> {
  const { username, email, email_confirmed } = user
  if (!email_confirmed) return
  await send(ctx, tx, email, accountChangedMail(await frameFor(tx, user), { username, became }))
}

type Recipient = Pick<UserRow, 'username' | 'email' | 'email_confirmed' | 'profile'>

/** The site and the language of the recipient. */
const frameFor = async (tx: Executor, { profile }: { profile: string }): Promise<MailFrame> => ({
  site: await getSite(tx),
  language: mailLanguageOf(profile),
})

const baseUrl = ({ cfg }: Ctx) => cfg.publicUrl || `http://localhost:${cfg.port}`
const resetUrl = (ctx: Ctx) => `${baseUrl(ctx)}/password-reset`

async function newLinkToken(
  tx: Executor,
  { username, email }: AccountAddress,
  purpose: MailTokenPurpose,
  lifeMs: number,
) {
  const token = newToken()
  const row = { username, email, tokenHash: hashOf(token), purpose, lifeMs }
  const expiresOn = new Date(toIso(toTimestamp(await insertMailToken(tx, row))))
  return { token, expiresOn }
}

/** Accounts of older versions may have invalid addresses: these get no mail. */
async function send(ctx: Ctx, tx: Executor, address: string, content: MailContent) {
  if (isEmailAddress(address)) await ctx.sendMail(tx, { ...content, to: { address } })
}
