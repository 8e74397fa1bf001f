import type { Client, ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { ApiKeyAccess } from '@figbase/proto/common'
import { RevisionsService } from '@figbase/proto/revisions'
import { unauthenticated } from '../src/errors/index.js'
import { tokenNotValid, userTokenPurpose } from '../src/keys/index.js'
import { keysFrom } from '../src/keys/keys.js'
import { createLogger } from '../src/log.js'
import type { CallerKeys } from '../src/rpc/caller.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { lazyClient } from '../src/rpc/index.js'
import {
  type ConstraintErrors,
  clientInterceptor,
  serverInterceptor,
} from '../src/rpc/interceptors.js'
import { createLocalTransport } from '../src/rpc/local-transport.js'
import { connectPeers } from '../src/rpc/peers.js'
import { userWithKey } from '../src/testing/index.js'
import type { Tracing } from '../src/tracing/index.js'

export const topologies = ['handed over', 'isolated', 'http2'] as const
export type Topology = (typeof topologies)[number]

/** Keys and readers with which the test server authenticates callers. */
export const callerKeys: CallerKeys = {
  requests: { count: () => ({ isExceeded: false, limit: 1, remaining: 1, resetMs: 0 }) },
  peers: keysFrom('secret').derive('internal principal'),
  tokens: keysFrom('secret').derive(userTokenPurpose),
  readApiKey: async (token) => {
    if (token === 'read-key-of-ann') return userWithKey('ann', 'here', ApiKeyAccess.READ)
    if (token !== 'key-of-ann') throw unauthenticated('authentication_failed', 'no such key')
    return userWithKey('ann', 'here')
  },
  readExternalToken: () => Promise.reject(tokenNotValid()),
}

export type Connected = AsyncDisposable & { client: Client<typeof RevisionsService> }

export type ConnectOptions = {
  byConstraint?: ConstraintErrors
  /** Another secret than the server's, for a caller that is not a trusted peer. */
  callerSecret?: string
  tracing?: Tracing | undefined
}

/** Serves handlers with all interceptors and returns a client. */
export async function connect(
  topology: Topology,
  handlers: Partial<ServiceImpl<typeof RevisionsService>>,
  { byConstraint = {}, callerSecret = 'secret', tracing }: ConnectOptions = {},
): Promise<Connected> {
  const callerKey = keysFrom(callerSecret).derive('internal principal')
  const log = createLogger('test', 'silent')
  const server = {
    routes: (router: ConnectRouter) => router.service(RevisionsService, handlers),
    interceptors: [serverInterceptor(callerKeys, log, byConstraint, { tracing })],
    callerKeys,
    isHealthy: async () => true,
  }
  const interceptors = [clientInterceptor(callerKey)]
  if (topology !== 'http2') {
    const isolate = topology === 'isolated'
    const transport = createLocalTransport([server], { interceptors, isolate })
    return {
      client: lazyClient(RevisionsService, () => transport),
      async [Symbol.asyncDispose]() {},
    }
  }
  const address = { host: '127.0.0.1', port: 0, shutdownTimeoutMs: 500 }
  const served = await serveHttp2([server], address)
  const urls = { revisions: [`http://127.0.0.1:${served.port}`] }
  const remote = connectPeers(urls, interceptors)
  return {
    client: lazyClient(RevisionsService, remote.transportTo),
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}
