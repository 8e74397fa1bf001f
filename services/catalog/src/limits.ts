import type { EnvReader } from '@figbase/kit/config'
import { tooMany } from '@figbase/kit/errors'
import type { Allowance } from '@figbase/kit/limits'
import type { Kit } from '@figbase/kit/service'

export const readLimitSettings = (env: EnvReader) => ({
  invitationsOfUserMax: env.positiveInt(
    'INVITATIONS_PER_HOUR_MAX',
    500,
    'invitation mails that one user may send in an hour',
  ),
  invitationsToAddressMax: env.positiveInt(
    'INVITATIONS_PER_HOUR_AND_ADDRESS_MAX',
    100,
    'invitation mails that one e-mail address may receive in an hour',
  ),
  failedPromotionsMax: env.positiveInt(
    'FAILED_PROMOTIONS_PER_MINUTE_MAX',
    20,
    'unknown promotion codes that one user may submit in a minute; further codes are rejected until the minute ends',
  ),
})

export type LimitSettings = ReturnType<typeof readLimitSettings>

const minuteMs = 60_000
const hourMs = 3_600_000

export const createLimits = ({ limiter }: Pick<Kit<unknown>, 'limiter'>, cfg: LimitSettings) => ({
  invitationsOfUser: limiter({
    name: 'invitations-of-user',
    pointsMax: cfg.invitationsOfUserMax,
    windowMs: hourMs,
  }),
  invitationsToAddress: limiter({
    name: 'invitations-to-address',
    pointsMax: cfg.invitationsToAddressMax,
    windowMs: hourMs,
  }),
  failedPromotions: limiter({
    name: 'failed-promotions',
    pointsMax: cfg.failedPromotionsMax,
    windowMs: minuteMs,
  }),
})

export type Limits = ReturnType<typeof createLimits>

/** Runs `mail` unless the user or the address has reached its limit of invitation mails. */
export async function limitedMail<T>(
  { invitationsOfUser, invitationsToAddress }: Limits,
  username: string,
  email: string,
  mail: () => Promise<T>,
): Promise<T> {
  const address = email.normalize('NFC').toLowerCase()
  for (const allowance of await Promise.all([
    invitationsOfUser.peek(username),
    invitationsToAddress.peek(address),
  ])) {
    if (allowance.isExceeded) throw tooManyInvitationMails(allowance)
  }
  const mailed = await mail()
  // Only sent mails count, so rejected requests cannot use up the limit of an address.
  await Promise.all([invitationsOfUser.count(username), invitationsToAddress.count(address)])
  return mailed
}

/** Throws when the user has submitted too many unknown promotion codes: they may be guessing. */
export async function checkPromotionLimit({ failedPromotions }: Limits, username: string) {
  const allowance = await failedPromotions.peek(username)
  if (!allowance.isExceeded) return
  throw tooMany('too_many_failures', 'too many unknown promotion codes', allowance)
}

const tooManyInvitationMails = (allowance: Allowance) =>
  tooMany('too_many_mails', 'too many invitation mails', allowance)
