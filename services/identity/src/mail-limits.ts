import { Code, type HandlerContext } from '@connectrpc/connect'
import { detailOf, hasCode } from '@figbase/kit/errors'
import { callerAddress } from '@figbase/kit/rpc'
import {
  countFailure,
  type LimitKeys,
  type Limits,
  refuseAfterFailures,
  tooManyMails,
} from './limits.js'

const keyOf = (email: string) => email.normalize('NFC').toLowerCase()

/** Counts one mail to an address; false when the limit of the recipient is exceeded. */
export async function countMailTo({ mailsToRecipient }: Limits, email: string): Promise<boolean> {
  return !(await mailsToRecipient.count(keyOf(email))).isExceeded
}

/** Counts one mail by client address and by recipient; throws 429 beyond either limit. */
export async function limitMails(
  { mailsOfAddress, mailsToRecipient }: Limits,
  email: string,
  call: HandlerContext,
): Promise<void> {
  const ofClient = await mailsOfAddress.count(callerAddress(call))
  if (ofClient.isExceeded) throw tooManyMails(ofClient)
  const ofRecipient = await mailsToRecipient.count(keyOf(email))
  if (ofRecipient.isExceeded) throw tooManyMails(ofRecipient)
}

/** Runs `follow` for the link of a mail; throws 429 after too many invalid links from the client address. */
export async function limitFailedLinks<T>(
  { failedLinksOfAddress }: Limits,
  call: HandlerContext,
  follow: () => Promise<T>,
): Promise<T> {
  const counted: LimitKeys = [[failedLinksOfAddress, callerAddress(call)]]
  await refuseAfterFailures(counted)
  try {
    return await follow()
  } catch (error) {
    if (isLinkRefused(error)) await countFailure(counted)
    throw error
  }
}

const isLinkRefused = (error: unknown) =>
  hasCode(error, Code.InvalidArgument) && detailOf(error)?.fields[0]?.field === 'token'
