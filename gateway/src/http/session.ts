import type { IncomingMessage } from 'node:http'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAsSystem, anonymous } from '@figbase/kit/rpc'
import type { Principal } from '@figbase/proto/common'
import type { Config } from '../config.js'
import type { Services } from '../endpoint.js'
import { readCookie } from './cookies.js'

/** The user of the browser session; anonymous if there is none or it has ended. */
export async function readSession(
  { cfg, services }: { cfg: Config; services: Services },
  { headers }: IncomingMessage,
): Promise<Principal> {
  const token = readCookie(headers, 'session', cfg)
  if (!token) return anonymous
  const call = { ...actAsSystem(), timeoutMs: cfg.callTimeoutMs }
  try {
    return (await services.signIn.authenticateSession({ token }, call)).principal ?? anonymous
  } catch (error) {
    if (hasCode(error, Code.Unauthenticated)) return anonymous
    throw error
  }
}
