import { Code, type HandlerContext } from '@connectrpc/connect'
import { callerAddress, detailOf, hasCode, type Kit, type Limiter, tooMany } from '@figbase/kit'
import type { Config } from './config.js'

export type Throttles = { recipients: Limiter; clients: Limiter; links: Limiter }

const hourMs = 3_600_000
const minuteMs = 60_000

export function createThrottles(
  { limiter }: Pick<Kit<unknown>, 'limiter'>,
  cfg: Config,
): Throttles {
  const limit = (name: string, pointsMax: number, windowMs: number) =>
    limiter({ name, pointsMax, windowMs })
  return {
    recipients: limit('mail-recipient', cfg.mailsPerRecipientMax, hourMs),
    clients: limit('mail-client', cfg.mailsPerClientMax, hourMs),
    links: limit('mail-link', cfg.linkFailuresMax, minuteMs),
  }
}

const keyOf = (email: string) => email.normalize('NFC').toLowerCase()

/** Whether an address may get one more of these mails; counts it. */
export async function mayMailTo({ recipients }: Throttles, email: string): Promise<boolean> {
  return !(await recipients.count(keyOf(email))).isExceeded
}

/** Refuses who asks for too many mails, whoever has the address. */
export async function requireMails(
  { clients, recipients }: Throttles,
  email: string,
  call: HandlerContext,
): Promise<void> {
  const ofClient = await clients.count(callerAddress(call))
  if (ofClient.isExceeded) {
    throw tooMany('too_many_mails', 'too many mails were asked for from your address', ofClient)
  }
  const ofRecipient = await recipients.count(keyOf(email))
  if (ofRecipient.isExceeded) {
    throw tooMany('too_many_mails', 'too many mails were asked for to this address', ofRecipient)
  }
}

/** Does what the link of a mail is for; who came with too many that do not work is refused. */
export async function countingFailures<T>(
  { links }: Throttles,
  call: HandlerContext,
  follow: () => Promise<T>,
): Promise<T> {
  const address = callerAddress(call)
  const before = await links.peek(address)
  if (before.isExceeded) {
    throw tooMany('too_many_failures', 'too many links did not work: wait a minute', before)
  }
  try {
    return await follow()
  } catch (error) {
    if (isLinkRefused(error)) await links.count(address)
    throw error
  }
}

const isLinkRefused = (error: unknown) =>
  hasCode(error, Code.InvalidArgument) && detailOf(error)?.fields[0]?.field === 'token'
