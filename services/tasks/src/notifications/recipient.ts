import { actAsSystem } from '@figbase/kit/rpc'
import type { Recipient } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../context.js'
import type { MailLinks } from '../mail/notice.js'
import { type Unsubscription, unsubscribeToken } from './unsubscribe-token.js'

const callTimeoutMs = 10_000

/** Undefined unless the person is active and has confirmed their address. */
export async function findRecipient(
  { accounts }: Pick<Ctx, 'accounts'>,
  username: string,
  signal: AbortSignal,
): Promise<Recipient | undefined> {
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const { recipients } = await accounts.listRecipients({ usernames: [username] }, call)
  return recipients[0]
}

export function mailLinks(
  { cfg, unsubscribeKeys }: Pick<Ctx, 'cfg' | 'unsubscribeKeys'>,
  unsubscription: Unsubscription,
): MailLinks {
  const token = unsubscribeToken(unsubscribeKeys, unsubscription)
  return {
    settingsUrl: `${cfg.baseUrl}/account/notifications/`,
    unsubscribeUrl: `${cfg.baseUrl}/unsubscribe/${token}/`,
  }
}
