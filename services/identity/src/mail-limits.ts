import { Code, type HandlerContext } from '@connectrpc/connect'
import { callerAddress, detailOf, hasCode } from '@figbase/kit'
import {
  type Counted,
  countFailure,
  type Limits,
  refuseAfterFailures,
  tooManyMails,
} from './limits.js'

const keyOf = (email: string) => email.normalize('NFC').toLowerCase()

/** Whether an address may get one more of the mails that strangers can ask for; counts it. */
export async function mayMailTo({ mailsToRecipient }: Limits, email: string): Promise<boolean> {
  return !(await mailsToRecipient.count(keyOf(email))).isExceeded
}

/** Refuses who asks for too many of them, whoever has the address. */
export async function requireMails(
  { mailsOfAddress, mailsToRecipient }: Limits,
  email: string,
  call: HandlerContext,
): Promise<void> {
  const ofClient = await mailsOfAddress.count(callerAddress(call))
  if (ofClient.isExceeded) throw tooManyMails(ofClient)
  const ofRecipient = await mailsToRecipient.count(keyOf(email))
  if (ofRecipient.isExceeded) throw tooManyMails(ofRecipient)
}

/** Does what the link of a mail is for; who came with too many that do not work is refused. */
export async function countingLinks<T>(
  { failedLinksOfAddress }: Limits,
  call: HandlerContext,
  follow: () => Promise<T>,
): Promise<T> {
  const counted: Counted = [[failedLinksOfAddress, callerAddress(call)]]
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
