import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { type EnvReader, readSettings } from '@figbase/kit/config'
import { createBoundedServer, createGracefulClose, hasBody, listen } from '@figbase/kit/http'
import { readKeys, userTokenPurpose } from '@figbase/kit/keys'
import { createRequestLimiter, openLimits, readLimitSettings } from '@figbase/kit/limits'
import { createLogger } from '@figbase/kit/log'
import { type Check, type Operations, readStopSettings } from '@figbase/kit/operations'
import {
  createSiteReader,
  lazyClient,
  peerNameOf,
  readApiKeyWith,
  readExternalTokenWith,
} from '@figbase/kit/rpc'
import { readLogLevel, readServerCheckTimeout } from '@figbase/kit/settings'
import type { Tracing } from '@figbase/kit/tracing'
import { UsageService } from '@figbase/proto/ai-usage'
import { CatalogService } from '@figbase/proto/catalog'
import { BillingService } from '@figbase/proto/catalog/billing'
import { PeopleService } from '@figbase/proto/catalog/people'
import { PlansService } from '@figbase/proto/catalog/plans'
import { CodeEditorService } from '@figbase/proto/code-editor'
import { CommentsService } from '@figbase/proto/comments'
import { ComputeService } from '@figbase/proto/compute'
import { GitService } from '@figbase/proto/git'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { DeviceLoginService } from '@figbase/proto/identity/device-login'
import { KeyedRequestsService } from '@figbase/proto/identity/keyed-requests'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { StaffService } from '@figbase/proto/identity/staff'
import { InsightService } from '@figbase/proto/insight'
import { NotificationsService } from '@figbase/proto/notifications'
import { OperationsService } from '@figbase/proto/operations'
import { RevisionsService } from '@figbase/proto/revisions'
import { SearchService } from '@figbase/proto/search'
import { StoriesService } from '@figbase/proto/stories'
import { StoryWriterService } from '@figbase/proto/story-writer'
import { TasksService } from '@figbase/proto/tasks'
import { WebhooksService } from '@figbase/proto/webhooks'
import { createApp } from './app.js'
import { readConfig } from './config.js'
import type { Services } from './endpoint.js'
import { createBodyReader } from './http/body-reader.js'
import { createAddressReader } from './http/client-address.js'
import { dispatch } from './http/dispatch.js'
import type { Gateway } from './http/gateway.js'
import { corsHeaders, safeHeaders } from './http/headers.js'
import { closeAfter, keepAliveHeader } from './http/keep-alive.js'
import { requestIdOf } from './http/request-id.js'
import { measureRequests } from './http/request-metrics.js'
import { createRequestNamer } from './http/request-name.js'
import { traceRequests } from './http/request-tracing.js'
import { createEndpointFinder, type FindEndpoint } from './http/router.js'
import { loadGuide } from './pages/guide/load.js'
import { pages } from './pages/index.js'
import { createParquetPool } from './pages/tables/parquet-pool.js'
import { unknownPage } from './pages/unknown.js'
import { openReadiness, watchServices } from './readiness.js'
import { closedPaths, endpoints } from './routes/index.js'

export type GatewayOptions = {
  env: Record<string, string | undefined>
  transportTo(service: DescService): Transport
  /** Whether each service can answer calls, by its name. */
  checks: Map<string, Check>
  /** The operations endpoint (metrics, readiness), if it is enabled. */
  operations?: Operations | undefined
  /** The tracer, if tracing is enabled. */
  tracing?: Tracing | undefined
}

export type RunningGateway = AsyncDisposable & {
  url: string
  port: number
  /** Makes the gateway not ready; from now on each response closes its connection. */
  leave(): void
}

/** One contract of each service. */
const operated = [
  IdentityService,
  CatalogService,
  RevisionsService,
  CommentsService,
  SearchService,
  StoriesService,
  ComputeService,
  TasksService,
]

const readEdgeSettings = (env: EnvReader) => ({
  keys: readKeys(env),
  logLevel: readLogLevel(env),
  ...readLimitSettings(env),
  serverCheckTimeoutMs: readServerCheckTimeout(env),
  ...readStopSettings(env),
})

/** Starts the HTTP server. Disposing refuses new connections and waits for the requests in flight. */
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
    billing: lazyClient(BillingService, transportTo),
    revisions: lazyClient(RevisionsService, transportTo),
    git: lazyClient(GitService, transportTo),
    comments: lazyClient(CommentsService, transportTo),
    compute: lazyClient(ComputeService, transportTo),
    search: lazyClient(SearchService, transportTo),
    stories: lazyClient(StoriesService, transportTo),
    insight: lazyClient(InsightService, transportTo),
    storyWriter: lazyClient(StoryWriterService, transportTo),
    codeEditor: lazyClient(CodeEditorService, transportTo),
    aiUsage: lazyClient(UsageService, transportTo),
    tasks: lazyClient(TasksService, transportTo),
    webhooks: lazyClient(WebhooksService, transportTo),
    notifications: lazyClient(NotificationsService, transportTo),
    accounts: lazyClient(AccountsService, transportTo),
    people: lazyClient(PeopleService, transportTo),
    signIn: lazyClient(SignInService, transportTo),
    deviceLogin: lazyClient(DeviceLoginService, transportTo),
    sshKeys: lazyClient(SshKeysService, transportTo),
    keyedRequests: lazyClient(KeyedRequestsService, transportTo),
    staff: lazyClient(StaffService, transportTo),
    operations: Object.fromEntries(
      operated.map((service) => [
        peerNameOf(service),
        lazyClient(OperationsService, () => transportTo(service)),
      ]),
    ),
  }
  const stopping = new AbortController()
  // Each event stream adds a listener.
  setMaxListeners(0, stopping.signal)
  const log = createLogger('gateway', logLevel)
  const bodyReader = createBodyReader({
    idleMs: cfg.bodyIdleTimeoutMs,
    bytesPerSecondMin: cfg.bodyBytesPerSecondMin,
    windowMs: cfg.bodyRateWindowMs,
  })
  const limits = await openLimits(redisUrl, { service: 'gateway', keys, log })
  const requests = createRequestLimiter(limits, requestsPerMinuteMax)
  const find = createEndpointFinder(endpoints, closedPaths, pages, cfg)
  const parquet = createParquetPool(cfg)
  const gateway: Gateway = {
    cfg,
    services,
    parquet,
    log,
    bodyReader,
    requests,
    readSite: createSiteReader(services.site, log),
    credentials: {
      tokens: keys.derive(userTokenPurpose),
      readApiKey: readApiKeyWith(services.identity),
      readExternalToken: readExternalTokenWith(services.signIn),
    },
    startedOn: new Date(),
    addressOf: createAddressReader(cfg.trustedProxies, log),
    find,
    stopping: stopping.signal,
  }
  let leaving = false
  const readiness = openReadiness(checks)
  const app = createApp(readiness, (req, res) => void dispatch(gateway, unknownPage, req, res))
  if (operations) watchServices(operations.readiness, checks)
  if (limits.isAvailable) operations?.readiness.uses('Redis', limits.isAvailable)
  const nameOf = createRequestNamer(endpoints, pages)
  const measure = operations && measureRequests(nameOf, operations.metrics.requestServed)
  const trace = tracing && traceRequests(tracing, nameOf, cfg.isTraceParentTrusted)
  const keepAlive = keepAliveHeader(cfg.keepAliveTimeoutMs, edge.shutdownDelayMs)
  const errorHeaders = { ...safeHeaders, ...corsHeaders }
  const server = createBoundedServer({ ...cfg, errorHeaders }, log, (req, res) => {
    if (leaving) closeAfter(res)
    else if (res.shouldKeepAlive) res.setHeader('keep-alive', keepAlive)
    res.setHeader('x-request-id', requestIdOf(req.headers))
    // Must come before `find`, which answers OPTIONS itself.
    if (req.method === 'OPTIONS' && hasBody(req)) closeAfter(res)
    const match = find(req, res)
    measure?.(req, res, match)
    if (isBodyIgnored(req, match)) closeAfter(res)
    if (match === undefined) app(req, res)
    else if (match !== 'done') void dispatch(gateway, match, req, res, trace?.(req, res, match))
  })
  const close = createGracefulClose(server, log)
  const leave = () => {
    leaving = true
    readiness.stopping()
  }
  await limits.waitUntilConnected(serverCheckTimeoutMs)
  await listen(server, cfg.host, cfg.port)
  // Not awaited, because everything else works without the guide.
  loadGuide().catch((err: unknown) => log.error({ err }, 'user guide unavailable'))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: cfg.publicUrl || `http://${cfg.host === '0.0.0.0' ? '127.0.0.1' : cfg.host}:${port}`,
    leave,
    async [Symbol.asyncDispose]() {
      leave()
      stopping.abort()
      await close(cfg.shutdownTimeoutMs)
      bodyReader.stop()
      await parquet[Symbol.asyncDispose]()
      await limits[Symbol.asyncDispose]()
    },
  }
}

/** Whether the request has a body that nobody reads: then the response closes the connection. */
function isBodyIgnored(req: IncomingMessage, match: ReturnType<FindEndpoint>) {
  const isForm = typeof match === 'object' && 'endpoint' in match && match.endpoint.body
  const isRead = isForm || req.url?.startsWith('/api')
  return !isRead && hasBody(req)
}
