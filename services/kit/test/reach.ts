import type { Client, ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { ApiKeyAccess } from '@figbase/proto/common'
import { RevisionsService } from '@figbase/proto/revisions'
import {
  lazyClient,
  type Tracing,
  tokenNotValid,
  unauthenticated,
  userTokenPurpose,
} from '../src/index.js'
import { keysFrom } from '../src/keys.js'
import { createLogger } from '../src/log.js'
import type { CallerKeys } from '../src/rpc/caller.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import {
  type ConstraintErrors,
  clientInterceptor,
  serverInterceptor,
} from '../src/rpc/interceptors.js'
import { createLocalTransport } from '../src/rpc/local-transport.js'
import { connectNeighbours } from '../src/rpc/neighbours.js'
import { userWithKey } from '../src/testing/index.js'

export const topologies = ['handed over', 'isolated', 'http2'] as const
export type Topology = (typeof topologies)[number]

/** What the server of the tests knows its callers by. */
export const callerKeys: CallerKeys = {
  requests: { count: () => ({ isExceeded: false, limit: 1, remaining: 1, resetMs: 0 }) },
  peers: keysFrom('secret').derive('internal principal'),
  tokens: keysFrom('secret').derive(userTokenPurpose),
  readApiKey: async (token) => {
    if (token === 'read-key-of-ann') return userWithKey('ann', 'here', ApiKeyAccess.READ)
    if (token !== 'key-of-ann') throw unauthenticated('authentication_failed', 'no such key')
    return userWithKey('ann', 'here')
  },
  readForeignToken: () => Promise.reject(tokenNotValid()),
}

export type Reached = AsyncDisposable & { client: Client<typeof RevisionsService> }

export type ReachOptions = {
  byConstraint?: ConstraintErrors
  /** Other than the server's: a caller that is no peer of ours. */
  callerSecret?: string
  tracing?: Tracing | undefined
}

/** Handlers of the tests behind everything that stands between a caller and a handler. */
export async function reach(
  topology: Topology,
  handlers: Partial<ServiceImpl<typeof RevisionsService>>,
  { byConstraint = {}, callerSecret = 'secret', tracing }: ReachOptions = {},
): Promise<Reached> {
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
  const remote = connectNeighbours(urls, interceptors)
  return {
    client: lazyClient(RevisionsService, remote.transportTo),
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}
