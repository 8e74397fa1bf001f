import { setMaxListeners } from 'node:events'
import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { IdentityService } from '@figbase/proto/identity'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { readSettings } from './config.js'
import { createAfterCommit } from './db/after-commit.js'
import { migrate } from './db/migrate.js'
import { requireMigrated } from './db/migrate-all.js'
import { createDb, createPool } from './db/pool.js'
import { createProbe } from './db/probe.js'
import { pastPooler, reachDatabase } from './db/reach.js'
import { migrationListsOf } from './db/service-migrations.js'
import { transact, write } from './db/transact.js'
import { openBus } from './events/bus/open.js'
import { createEvents } from './events/start-events.js'
import { callsWithFailPoints, createFailPoint, storeWithFailPoints } from './fail-points.js'
import { newId, newOrderedId } from './ids.js'
import { cancelJob, type Enqueue, enqueueJob } from './jobs/queue.js'
import { type JobRunner, startJobs } from './jobs/run-jobs.js'
import { Lifecycle } from './lifecycle.js'
import { createLogger } from './log.js'
import { warnUnreachableMailServer } from './mail/check-server.js'
import { openMailer } from './mail/open-mailer.js'
import { sendMailFrom, sendMailJob } from './mail/send-mail.js'
import type { Operations } from './operations/open.js'
import { watchService } from './operations/watch-service.js'
import { type RunningPeriodic, startPeriodic } from './periodic.js'
import { openLimits } from './ports/limits/open.js'
import { createRequestLimiter } from './ports/limits/requests.js'
import { isStoreThere, requireStore } from './ports/objects/check.js'
import type { ObjectStore } from './ports/objects/port.js'
import { readApiKeyWith } from './rpc/api-key.js'
import { readForeignTokenWith } from './rpc/foreign-token.js'
import { serverInterceptor } from './rpc/interceptors.js'
import { lazyClient } from './rpc/lazy-client.js'
import type { RpcServed } from './rpc/served-routes.js'
import type { Kit, Service } from './service.js'
import { readRuntimeSettings } from './settings.js'
import { createTasks } from './tasks/client.js'
import { startingTasks } from './tasks/start-task.js'
import type { Tracing } from './tracing/span.js'
import { tracedStore } from './tracing/store.js'
import { userTokenPurpose } from './user-tokens.js'

export type StartOptions = {
  env: Record<string, string | undefined>
  objects: ObjectStore
  /** The transport to a neighbour; asked at its first call, when all are registered. */
  transportTo(service: DescService): Transport
  /** Where the process is looked into, if it is. */
  operations?: Operations | undefined
  /** What traces the process, if something does. */
  tracing?: Tracing | undefined
}

export type StartedService = AsyncDisposable & {
  name: string
  /** What serves the calls: the routes with the interceptors they need. */
  server: RpcServed
  /** Starts jobs and periodic work; to be called when the service can be reached. */
  work(): Promise<void>
  /** Ends its streams, before its server waits for the calls in flight. */
  stop(): void
}

export const internalKeyPurpose = 'internal principal'

// To connect, and to answer.
const probeTimeoutMs = 1000

/** Settings, pool, migrations, context, routes: everything but a way to reach it. */
export async function startService(
  service: Service,
  options: StartOptions,
): Promise<StartedService> {
  const { runtime, config } = readSettings(options.env, (env) => ({
    runtime: readRuntimeSettings(env),
    config: Object.freeze(service.config(env)),
  }))
  const log = createLogger(service.name, runtime.logLevel)
  const failPoint = createFailPoint(service.name, runtime.failAt)
  const transportTo = (desc: DescService) => {
    const transport = options.transportTo(desc)
    return failPoint ? callsWithFailPoints(transport, failPoint) : transport
  }
  const objects = options.tracing ? tracedStore(options.objects) : options.objects
  const { keys, serverCheckTimeoutMs } = runtime
  const lifecycle = new Lifecycle()
  const stopping = new AbortController()
  // Each stream listens: they are many.
  setMaxListeners(0, stopping.signal)
  const limits = runtime.databaseLimits
  const found = await reachDatabase(runtime, service.name, serverCheckTimeoutMs)
  const reached = { ...found, limits }
  const database = { ...reached, schema: service.name, log }
  if (!reached.directUrl) {
    log.warn(
      'DATABASE_DIRECT_URL is not set, and DATABASE_URL leads to a pooler: locks are open transactions, and PostgreSQL is asked for events each second',
    )
  }
  const pool = createPool({ ...database, connectionsMax: runtime.databaseConnectionsMax })
  lifecycle.onStop(() => pool.end())
  // Of its own: jobs are begun, ended and kept alive however busy the service is.
  const jobPool = createPool({
    ...database,
    purpose: 'jobs',
    connectionsMax: 2,
    lastingPlans: true,
  })
  lifecycle.onStop(() => jobPool.end())
  const eventPool = createPool({ ...database, purpose: 'events', connectionsMax: 2 })
  lifecycle.onStop(() => eventPool.end())
  // Of its own, opened when health or metrics are asked for: being busy is not being ill. Two, so that
  // counting what waits does not keep health waiting.
  const probePool = createPool({
    ...database,
    purpose: 'probes',
    connectionsMax: 2,
    limits: { connectTimeoutMs: probeTimeoutMs, queryTimeoutMs: probeTimeoutMs },
    lastingPlans: true,
  })
  lifecycle.onStop(() => probePool.end())
  try {
    const { publishes = [], consumers = [] } = service
    const hasEvents = publishes.length > 0 || consumers.length > 0
    const migrations = migrationListsOf(service).flat()
    const migrationPool = createPool({
      ...pastPooler(reached),
      schema: service.name,
      connectionsMax: 2,
      log,
    })
    const prepare = runtime.migrateAtStart
      ? migrate(migrationPool, service.name, migrations)
      : requireMigrated(migrationPool, { name: service.name, migrations })
    await prepare.finally(() => migrationPool.end())
    if (service.storesObjects) await requireStore(options.objects, serverCheckTimeoutMs)
    const db = createDb<unknown>(pool)
    const { later, committed } = createAfterCommit()
    const periodics: RunningPeriodic[] = []
    const written = () => {
      for (const periodic of periodics) periodic.wake()
    }
    const transaction: Kit<unknown>['transact'] = (work) =>
      transact(db, work, failPoint, (tx) => {
        committed(tx)
        written()
      })
    const bus = await openBus(reached, runtime, log)
    lifecycle.onStop(() => bus[Symbol.asyncDispose]())
    const events = createEvents({
      service: service.name,
      publishes,
      consumers,
      db,
      transact: transaction,
      later,
      pool: eventPool,
      database: reached,
      bus,
      settings: runtime.events,
      log,
      tracing: options.tracing,
    })
    let runner: JobRunner | undefined
    const wake = () => runner?.wake()
    const enqueue: Enqueue = async (tx, job, payload, options) => {
      await enqueueJob(tx, job, payload, options)
      later(tx, wake)
    }
    const sendsMail = service.jobs?.includes(sendMailJob) ?? false
    const mailer = openMailer(runtime.mail, { connectionsMax: runtime.jobConcurrency, log })
    lifecycle.onStop(() => mailer[Symbol.asyncDispose]())
    if (sendsMail) void warnUnreachableMailServer(runtime.mail, serverCheckTimeoutMs, log)
    const limits = await openLimits(runtime.limits.redisUrl, { service: service.name, keys, log })
    lifecycle.onStop(() => limits[Symbol.asyncDispose]())
    const client: Kit<unknown>['client'] = (desc) => lazyClient(desc, transportTo)
    const tasks = createTasks(client, log)
    const kit: Kit<unknown> = {
      db,
      database: reached,
      ...startingTasks<unknown>({ transact: transaction, enqueue, newId, tasks, log }),
      tasks,
      async write(run, options) {
        const result = await write(db, run, failPoint)
        written()
        if (options?.enqueues) wake()
        if (options?.publishes) events.announce()
        return result
      },
      enqueue,
      enqueued: (tx) => later(tx, wake),
      cancelJob,
      mailer,
      sendMail: sendMailFrom(runtime.mail.from, enqueue, sendsMail),
      publish: events.publish,
      published: (tx) => later(tx, events.announce),
      afterCommit: later,
      broadcast: bus.broadcast,
      listen: bus.listen,
      objects: failPoint ? storeWithFailPoints(objects, failPoint) : objects,
      limiter: limits.limiter,
      quickLimiter: limits.quickLimiter,
      client,
      stopping: stopping.signal,
      keys,
      newId,
      newOrderedId,
      log,
    }
    const ctx = service.context(kit, config)
    const requests = createRequestLimiter(limits, runtime.limits.requestsPerMinuteMax)
    await limits.connected(serverCheckTimeoutMs)
    const started = await service.start?.(ctx)
    if (started) lifecycle.onStop(() => started[Symbol.asyncDispose]())
    const isHealthy = createProbe(probePool)
    const { operations, tracing } = options
    const pools = { requests: pool, jobs: jobPool, events: eventPool }
    const uses = {
      ...(bus.answers && { NATS: bus.answers }),
      ...(limits.answers && { Redis: limits.answers }),
      ...(service.storesObjects && { 'object store': () => isStoreThere(options.objects) }),
    }
    if (operations) watchService(operations, service, { pools, probePool, isHealthy, uses })
    const served = operations?.metrics.callServed(service.name)
    const callerKeys = {
      peers: keys.derive(internalKeyPurpose),
      tokens: keys.derive(userTokenPurpose),
      readApiKey: readApiKeyWith(client(IdentityService)),
      readForeignToken: readForeignTokenWith(client(SignInService)),
      requests,
    }
    return {
      name: service.name,
      server: {
        routes: service.routes(ctx),
        interceptors: [
          serverInterceptor(callerKeys, log, service.byConstraint ?? {}, { served, tracing }),
        ],
        callerKeys,
        isHealthy,
      },
      async work() {
        if (service.jobs) {
          const started = await startJobs({
            db: createDb<unknown>(jobPool),
            ctx,
            jobs: service.jobs,
            concurrency: runtime.jobConcurrency,
            leaseMs: runtime.jobLeaseMs,
            deadRetentionMs: runtime.deadJobRetentionMs,
            log,
            tracing,
            ...(failPoint && { failPoint }),
          })
          lifecycle.onStop(() => started[Symbol.asyncDispose]())
          runner = started
        }
        if (hasEvents) {
          const running = await events.start(ctx)
          lifecycle.onStop(() => running[Symbol.asyncDispose]())
        }
        for (const periodic of service.periodic ?? []) {
          const running = startPeriodic(periodic, ctx, log)
          periodics.push(running)
          lifecycle.onStop(() => running[Symbol.asyncDispose]())
        }
        await service.ready?.(ctx)
      },
      stop: () => stopping.abort(),
      [Symbol.asyncDispose]() {
        stopping.abort()
        return lifecycle[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}
