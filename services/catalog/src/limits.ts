import { type Allowance, type EnvReader, type Kit, tooMany } from '@figbase/kit'

export const readLimitSettings = (env: EnvReader) => ({
  invitationsOfUserMax: env.positiveInt(
    'INVITATIONS_PER_HOUR_MAX',
    500,
    'invitations that one user may have mailed in an hour',
  ),
  invitationsToAddressMax: env.positiveInt(
    'INVITATIONS_PER_HOUR_AND_ADDRESS_MAX',
    100,
    'invitations that are mailed to one e-mail address in an hour',
  ),
  failedPromotionsMax: env.positiveInt(
    'FAILED_PROMOTIONS_PER_MINUTE_MAX',
    20,
    'promotion codes that are none, from one user in a minute; then all are refused until it is over',
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

/** What `mail` answers, unless the user, or somebody for the address, had too much mailed already. */
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
  // What was refused was not mailed: nobody can use up what others may have mailed to an address.
  await Promise.all([invitationsOfUser.count(username), invitationsToAddress.count(address)])
  return mailed
}

/** Refuses to look at the code of somebody who guesses. */
export async function refuseGuessing({ failedPromotions }: Limits, username: string) {
  const allowance = await failedPromotions.peek(username)
  if (!allowance.isExceeded) return
  throw tooMany('too_many_failures', 'too many unknown promotion codes', allowance)
}

const tooManyInvitationMails = (allowance: Allowance) =>
  tooMany('too_many_mails', 'too many invitations were mailed', allowance)
