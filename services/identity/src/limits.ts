import { Code, type HandlerContext } from '@connectrpc/connect'
import {
  type Allowance,
  callerAddress,
  type EnvReader,
  hasCode,
  type Kit,
  type Limiter,
  tooMany,
} from '@figbase/kit'

export const readLimitSettings = (env: EnvReader) => ({
  failedSignInsMax: env.positiveInt(
    'FAILED_SIGN_INS_PER_MINUTE_MAX',
    20,
    'failed sign-ins of one account from one client address in a minute; then all such are refused until it is over',
  ),
  failedSignInsOfAccountMax: env.positiveInt(
    'FAILED_SIGN_INS_PER_MINUTE_AND_ACCOUNT_MAX',
    200,
    'the same of one account, wherever they come from',
  ),
  failedSignInsOfAddressMax: env.positiveInt(
    'FAILED_SIGN_INS_PER_MINUTE_AND_ADDRESS_MAX',
    100,
    'the same from one client address, of whatever account',
  ),
  failedCredentialsOfAddressMax: env.positiveInt(
    'FAILED_CREDENTIALS_PER_MINUTE_AND_ADDRESS_MAX',
    600,
    'API keys, and access tokens of the OpenID provider, that are none, from one client address in a minute; more are told to wait',
  ),
  registrationsOfAddressMax: env.positiveInt(
    'REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX',
    100,
    'accounts that may be created from one client address in an hour; staff create as many as they like',
  ),
  mailsToRecipientMax: env.positiveInt(
    'MAILS_PER_HOUR_AND_RECIPIENT_MAX',
    5,
    'mails to confirm an address, or to choose a password, that one address gets in an hour',
  ),
  mailsOfAddressMax: env.positiveInt(
    'MAILS_PER_HOUR_AND_ADDRESS_MAX',
    30,
    'such mails that are asked for from one client address in an hour',
  ),
  failedLinksOfAddressMax: env.positiveInt(
    'FAILED_LINKS_PER_MINUTE_AND_ADDRESS_MAX',
    100,
    'links of such mails that do not work, from one client address in a minute; then all are refused until it is over',
  ),
})

export type LimitSettings = ReturnType<typeof readLimitSettings>

const minuteMs = 60_000
const hourMs = 3_600_000

export const createLimits = (
  { limiter, quickLimiter }: Pick<Kit<unknown>, 'limiter' | 'quickLimiter'>,
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
  failedCredentialsOfAddress: quickLimiter({
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
})

export type Limits = ReturnType<typeof createLimits>

/** What one attempt counts for: by account, by address. */
export type Counted = [Limiter, key: string][]

export async function refuseAfterFailures(counted: Counted): Promise<void> {
  const allowances = await Promise.all(counted.map(([limiter, key]) => limiter.peek(key)))
  for (const allowance of allowances) if (allowance.isExceeded) throw tooManyFailures(allowance)
}

export async function countFailure(counted: Counted): Promise<void> {
  await Promise.all(counted.map(([limiter, key]) => limiter.count(key)))
}

/**
 * What `read` answers. Credentials that are refused count for the address, and those that are too many are told
 * to wait. Good ones always pass: nobody guesses 256 bits, and one broken script may share an address with all.
 */
export async function countingRefusals<T>(
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
    'too many mails were requested: look for those that were sent already',
    allowance,
  )

export const tooManyRegistrations = (allowance: Allowance) =>
  tooMany('too_many_registrations', 'too many accounts were created from your address', allowance)
