import { Code, type HandlerContext } from '@connectrpc/connect'
import type { EnvReader } from '@figbase/kit/config'
import { hasCode, tooMany } from '@figbase/kit/errors'
import type { Allowance, Limiter } from '@figbase/kit/limits'
import { callerAddress } from '@figbase/kit/rpc'
import type { Kit } from '@figbase/kit/service'

export const readLimitSettings = (env: EnvReader) => ({
  failedSignInsMax: env.positiveInt(
    'FAILED_SIGN_INS_PER_MINUTE_MAX',
    20,
    'failed sign-ins to one account from one client address per minute; further attempts are refused for the rest of the minute',
  ),
  failedSignInsOfAccountMax: env.positiveInt(
    'FAILED_SIGN_INS_PER_MINUTE_AND_ACCOUNT_MAX',
    200,
    'failed sign-ins to one account per minute, from any address',
  ),
  failedSignInsOfAddressMax: env.positiveInt(
    'FAILED_SIGN_INS_PER_MINUTE_AND_ADDRESS_MAX',
    100,
    'failed sign-ins from one client address per minute, to any account',
  ),
  failedCredentialsOfAddressMax: env.positiveInt(
    'FAILED_CREDENTIALS_PER_MINUTE_AND_ADDRESS_MAX',
    600,
    'invalid API keys and access tokens of the OpenID provider from one client address per minute; further invalid ones are answered with 429',
  ),
  registrationsOfAddressMax: env.positiveInt(
    'REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX',
    100,
    'accounts that may be created from one client address per hour; staff are not limited',
  ),
  mailsToRecipientMax: env.positiveInt(
    'MAILS_PER_HOUR_AND_RECIPIENT_MAX',
    5,
    'verification and password reset mails to one e-mail address per hour',
  ),
  mailsOfAddressMax: env.positiveInt(
    'MAILS_PER_HOUR_AND_ADDRESS_MAX',
    30,
    'verification and password reset mails requested from one client address per hour',
  ),
  failedLinksOfAddressMax: env.positiveInt(
    'FAILED_LINKS_PER_MINUTE_AND_ADDRESS_MAX',
    100,
    'invalid links of such mails opened from one client address per minute; further attempts are refused for the rest of the minute',
  ),
  deviceLoginsOfAddressMax: env.positiveInt(
    'DEVICE_LOGINS_PER_HOUR_AND_ADDRESS_MAX',
    100,
    'logins of the command that may be started from one client address per hour',
  ),
  failedUserCodesOfUserMax: env.positiveInt(
    'FAILED_USER_CODES_PER_MINUTE_AND_USER_MAX',
    10,
    'unknown codes of such logins that one user may enter per minute; further attempts are refused for the rest of the minute',
  ),
})

export type LimitSettings = ReturnType<typeof readLimitSettings>

const minuteMs = 60_000
const hourMs = 3_600_000

export const createLimits = (
  { limiter, bufferedLimiter }: Pick<Kit<unknown>, 'limiter' | 'bufferedLimiter'>,
  cfg: LimitSettings,
) => ({
  failedSignIns: limiter({
    name: 'failed-sign-ins',
    pointsMax: cfg.failedSignInsMax,
    windowMs: minuteMs,
  }),
  failedSignInsOfAccount: limiter({
    name: 'failed-sign-ins-of-account',
    pointsMax: cfg.failedSignInsOfAccountMax,
    windowMs: minuteMs,
  }),
  failedSignInsOfAddress: limiter({
    name: 'failed-sign-ins-of-address',
    pointsMax: cfg.failedSignInsOfAddressMax,
    windowMs: minuteMs,
  }),
  failedCredentialsOfAddress: bufferedLimiter({
    name: 'failed-credentials-of-address',
    pointsMax: cfg.failedCredentialsOfAddressMax,
    windowMs: minuteMs,
  }),
  registrationsOfAddress: limiter({
    name: 'registrations-of-address',
    pointsMax: cfg.registrationsOfAddressMax,
    windowMs: hourMs,
  }),
  mailsToRecipient: limiter({
    name: 'mails-to-recipient',
    pointsMax: cfg.mailsToRecipientMax,
    windowMs: hourMs,
  }),
  mailsOfAddress: limiter({
    name: 'mails-of-address',
    pointsMax: cfg.mailsOfAddressMax,
    windowMs: hourMs,
  }),
  failedLinksOfAddress: limiter({
    name: 'failed-links-of-address',
    pointsMax: cfg.failedLinksOfAddressMax,
    windowMs: minuteMs,
  }),
  deviceLoginsOfAddress: limiter({
    name: 'device-logins-of-address',
    pointsMax: cfg.deviceLoginsOfAddressMax,
    windowMs: hourMs,
  }),
  failedUserCodesOfUser: limiter({
    name: 'failed-user-codes-of-user',
    pointsMax: cfg.failedUserCodesOfUserMax,
    windowMs: minuteMs,
  }),
})

export type Limits = ReturnType<typeof createLimits>

/** The limits that one attempt counts against, for example by account and by address. */
export type LimitKeys = [Limiter, key: string][]

export async function refuseAfterFailures(counted: LimitKeys): Promise<void> {
  const allowances = await Promise.all(counted.map(([limiter, key]) => limiter.peek(key)))
  for (const allowance of allowances) if (allowance.isExceeded) throw tooManyFailures(allowance)
}

export async function countFailure(counted: LimitKeys): Promise<void> {
  await Promise.all(counted.map(([limiter, key]) => limiter.count(key)))
}

/**
 * Runs `read` and counts rejected credentials by client address; throws 429 beyond the limit. Valid credentials
 * always pass: 256 bits cannot be guessed, and a broken script may share its address with other clients.
 */
export async function limitFailedCredentials<T>(
  { failedCredentialsOfAddress: failed }: Limits,
  call: HandlerContext,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!hasCode(error, Code.Unauthenticated)) throw error
    const allowance = failed.count(callerAddress(call))
    throw allowance.isExceeded ? tooManyFailures(allowance) : error
  }
}

const tooManyFailures = (allowance: Allowance) =>
  tooMany('too_many_failures', 'too many failed attempts', allowance)

export const tooManyMails = (allowance: Allowance) =>
  tooMany(
    'too_many_mails',
    'too many mails were requested: check the mails that were already sent',
    allowance,
  )

export const tooManyRegistrations = (allowance: Allowance) =>
  tooMany('too_many_registrations', 'too many accounts were created from your address', allowance)

export const tooManyDeviceLogins = (allowance: Allowance) =>
  tooMany('too_many_device_logins', 'too many logins were started from your address', allowance)
