import { type ConnectRouter, createRouterTransport } from '@connectrpc/connect'
import {
  type Check,
  clientInterceptor,
  internalKeyPurpose,
  keysFrom,
  type Operations,
  signAccessToken,
  userTokenPurpose,
} from '@figbase/kit'
import { type RunningGateway, startGateway } from '../src/index.js'

const secret = 'a secret of the tests'

/** A gateway before stand-ins for the services that a test needs. */
export function startEdge(
  neighbours: (router: ConnectRouter) => unknown,
  env: Record<string, string> = {},
  operations?: Operations,
  checks: Map<string, Check> = new Map(),
): Promise<RunningGateway> {
  const interceptors = [clientInterceptor(keysFrom(secret).derive(internalKeyPurpose))]
  const transport = createRouterTransport((router) => void neighbours(router), {
    transport: { interceptors },
  })
  return startGateway({
    env: { FIGBASE_SECRET_KEY: secret, LOG_LEVEL: 'silent', PORT: '0', ...env },
    transportTo: () => transport,
    checks,
    operations,
  })
}

export function authorization(lifeMs = 60_000, username = 'ann') {
  const subject = { username, isStaff: false, generation: 1 }
  const token = signAccessToken(subject, keysFrom(secret).derive(userTokenPurpose), lifeMs)
  return { authorization: `Bearer ${token}` }
}
