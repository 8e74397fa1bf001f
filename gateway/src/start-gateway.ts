import { setMaxListeners } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import {
  type Check,
  createLogger,
  createRequestLimiter,
  createSiteReader,
  type EnvReader,
  lazyClient,
  type Operations,
  openLimits,
  readApiKeyWith,
  readForeignTokenWith,
  readKeys,
  readLimitSettings,
  readLogLevel,
  readServerCheckTimeout,
  readSettings,
  type Tracing,
  userTokenPurpose,
} from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { PeopleService } from '@figbase/proto/catalog/people'
import { PlansService } from '@figbase/proto/catalog/plans'
import { CommentsService } from '@figbase/proto/comments'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { RevisionsService } from '@figbase/proto/revisions'
import { TasksService } from '@figbase/proto/tasks'
import { createApp } from './app.js'
import { readConfig } from './config.js'
import type { Services } from './endpoint.js'
import { createAddressReader } from './http/address.js'
import { hasBody } from './http/body.js'
import { closing } from './http/closing.js'
import { dispatch, type Gateway } from './http/dispatch.js'
import { measuring } from './http/measured.js'
import { createPace } from './http/pace.js'
import { namingRequests } from './http/request-name.js'
import { createFind, type Find } from './http/router.js'
import { createBoundedServer } from './http/server.js'
import { tracingRequests } from './http/traced.js'
import { pages } from './pages/index.js'
import { openReadiness, watchServices } from './readiness.js'
import { closedPaths, endpoints } from './routes/index.js'

export type GatewayOptions = {
  env: Record<string, string | undefined>
  transportTo(service: DescService): Transport
  /** Whether each service can answer calls, by its name. */
  checks: Map<string, Check>
  /** Where the process is looked into, if it is. */
  operations?: Operations | undefined
  /** What traces the process, if something does. */
  tracing?: Tracing | undefined
}

export type RunningGateway = AsyncDisposable & {
  url: string
  port: number
  /** From now on it is not ready, and each answer ends its connection. */
  leave(): void
}

const readEdgeSettings = (env: EnvReader) => ({
  keys: readKeys(env),
  logLevel: readLogLevel(env),
  ...readLimitSettings(env),
  serverCheckTimeoutMs: readServerCheckTimeout(env),
})

/** Serves REST. Disposing refuses new connections and waits for the requests in flight. */
export async function startGateway({
  env,
  transportTo,
  checks,
  operations,
  tracing,
}: GatewayOptions): Promise<RunningGateway> {
  const cfg = readSettings(env, readConfig)
  const edge = readSettings(env, readEdgeSettings)
  const { keys, logLevel, redisUrl, requestsPerMinuteMax, serverCheckTimeoutMs } = edge
  const services: Services = {
    identity: lazyClient(IdentityService, transportTo),
    site: lazyClient(SiteService, transportTo),
    catalog: lazyClient(CatalogService, transportTo),
    plans: lazyClient(PlansService, transportTo),
    revisions: lazyClient(RevisionsService, transportTo),
    comments: lazyClient(CommentsService, transportTo),
    tasks: lazyClient(TasksService, transportTo),
    accounts: lazyClient(AccountsService, transportTo),
    people: lazyClient(PeopleService, transportTo),
    signIn: lazyClient(SignInService, transportTo),
    sshKeys: lazyClient(SshKeysService, transportTo),
  }
  const stopping = new AbortController()
  // Each stream listens: they are many.
  setMaxListeners(0, stopping.signal)
  const log = createLogger('gateway', logLevel)
  const pace = createPace({
    idleMs: cfg.bodyIdleTimeoutMs,
    bytesPerSecondMin: cfg.bodyBytesPerSecondMin,
    windowMs: cfg.bodyRateWindowMs,
  })
  const limits = await openLimits(redisUrl, { service: 'gateway', keys, log })
  const requests = createRequestLimiter(limits, requestsPerMinuteMax)
  const gateway: Gateway = {
    cfg,
    services,
    log,
    pace,
    requests,
    readSite: createSiteReader(services.site, log),
    credentials: {
      tokens: keys.derive(userTokenPurpose),
      readApiKey: readApiKeyWith(services.identity),
      readForeignToken: readForeignTokenWith(services.signIn),
    },
    startedOn: new Date(),
    addressOf: createAddressReader(cfg.trustedProxies, log),
    stopping: stopping.signal,
  }
  const find = createFind(endpoints, closedPaths, pages, cfg)
  let leaving = false
  const readiness = openReadiness(checks)
  const app = createApp(readiness)
  if (operations) watchServices(operations.readiness, checks)
  if (limits.answers) operations?.readiness.uses('Redis', limits.answers)
  const nameOf = namingRequests(endpoints, pages)
  const measure = operations && measuring(nameOf, operations.metrics.requestServed)
  const trace = tracing && tracingRequests(tracing, nameOf, cfg.isTraceParentTrusted)
  const server = createBoundedServer(cfg, log, (req, res) => {
    if (leaving) res.shouldKeepAlive = false
    // Before it is looked for: what OPTIONS asks is answered there.
    if (req.method === 'OPTIONS' && hasBody(req)) res.shouldKeepAlive = false
    const match = find(req, res)
    measure?.(req, res, match)
    if (isBodyIgnored(req, match)) res.shouldKeepAlive = false
    if (match === undefined) app(req, res)
    else if (match !== 'done') void dispatch(gateway, match, req, res, trace?.(req, res, match))
  })
  const close = closing(server, log)
  const leave = () => {
    leaving = true
    readiness.stopping()
  }
  await limits.connected(serverCheckTimeoutMs)
  await listen(server, cfg.host, cfg.port)
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: cfg.publicUrl || `http://${cfg.host === '0.0.0.0' ? '127.0.0.1' : cfg.host}:${port}`,
    leave,
    async [Symbol.asyncDispose]() {
      leave()
      stopping.abort()
      await close(cfg.shutdownTimeoutMs)
      pace.stop()
      await limits[Symbol.asyncDispose]()
    },
  }
}

/** Whether a body comes that nothing here reads: the connection ends with the answer. */
function isBodyIgnored(req: IncomingMessage, match: ReturnType<Find>) {
  const isOfForm = typeof match === 'object' && 'endpoint' in match && match.endpoint.body
  const isRead = isOfForm || req.url?.startsWith('/api')
  return !isRead && hasBody(req)
}

function listen(server: Server, host: string, port: number) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
