import type { Session } from '@figbase/proto/identity/sign-in'
import type { Input } from '../../endpoint.js'
import { cookie } from '../../http/cookies.js'
import { required } from '../../required.js'

/** Signs in with a password; the cookie of the session. */
export async function newSession(
  input: Input,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const request = { username, password, userAgent: userAgentOf(input) }
  const { session } = await input.services.signIn.createSession(request, input.call)
  return sessionCookie(input, required(session))
}

export function sessionCookie({ cfg }: Input, { token, expiresOn }: Session): string {
  const lifeSeconds = Number(expiresOn?.seconds ?? 0) - Math.floor(Date.now() / 1000)
  return cookie('session', cfg, token, lifeSeconds)
}

export const userAgentOf = ({ headers }: Input): string => headers['user-agent'] ?? ''
