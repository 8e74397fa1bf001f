import { type ConnectRouter, createRouterTransport } from '@connectrpc/connect'
import { keysFrom, signAccessToken, userTokenPurpose } from '@figbase/kit/keys'
import type { Check, Operations } from '@figbase/kit/operations'
import { clientInterceptor } from '@figbase/kit/rpc'
import { internalKeyPurpose } from '@figbase/kit/service'
import { type RunningGateway, startGateway } from '../src/index.js'

const secret = 'a secret of the tests'

/** Starts a gateway with fakes of the services that a test needs. */
export function startEdge(
  peers: (router: ConnectRouter) => unknown,
  env: Record<string, string> = {},
  operations?: Operations,
  checks: Map<string, Check> = new Map(),
): Promise<RunningGateway> {
  const interceptors = [clientInterceptor(keysFrom(secret).derive(internalKeyPurpose))]
  const transport = createRouterTransport((router) => void peers(router), {
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
