import { setMaxListeners } from 'node:events'
import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { StaffService } from '@figbase/proto/identity/staff'
import { readSettings } from '../config/config.js'
import { createDb } from '../db/pool.js'
import { createProbe } from '../db/probe.js'
import { openBus } from '../events/bus/open.js'
import { createEvents } from '../events/start-events.js'
import { callsWithFailPoints, createFailPoint, storeWithFailPoints } from '../faults/fail-points.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import { openLimits } from '../limits/open.js'
import { createRequestLimiter } from '../limits/requests.js'
import { createLogger } from '../log.js'
import { warnUnreachableMailServer } from '../mail/check-server.js'
import { openMailer } from '../mail/open-mailer.js'
import { sendMailJob } from '../mail/send-mail.js'
import { isStoreAvailable, requireStore } from '../objects/check.js'
import type { ObjectStore } from '../objects/port.js'
import type { Operations } from '../operations/open.js'
import { createReadiness } from '../operations/readiness.js'
import { watchService } from '../operations/watch-service.js'
import { lazyClient } from '../rpc/lazy-client.js'
import type { RpcServed } from '../rpc/served-routes.js'
import type { Tracing } from '../scope/span.js'
import { readRuntimeSettings } from '../settings/runtime.js'
import { tracedStore } from '../tracing/store.js'
import { createKit } from './create-kit.js'
import { createWorkers } from './create-workers.js'
import { createWrites } from './create-writes.js'
import { openDatabase } from './open-database.js'
import type { Operated } from './operations-service.js'
import { prepareSchema } from './prepare-schema.js'
import { createRpcServer } from './rpc-server.js'
import type { Kit, Service } from './service.js'

export type StartOptions = {
  env: Record<string, string | undefined>
  objects: ObjectStore
  /** The transport to a peer. Called with the first call to the peer, when all services are registered. */
  transportTo(service: DescService): Transport
  /** The operations endpoint, if enabled. */
  operations?: Operations | undefined
  /** Undefined if tracing is disabled. */
  tracing?: Tracing | undefined
}

export type StartedService = AsyncDisposable & {
  name: string
  server: RpcServed
  /** What its operations need; see `operationsServers`. */
  operated: Operated
  /** Starts jobs, events and periodic work; to be called when the service is reachable. */
  work(): Promise<void>
  /** Ends the streams; to be called before the server waits for calls in flight. */
  stop(): void
}

/** Starts a service without making it reachable: the caller serves its routes. */
export async function startService(
  service: Service,
  options: StartOptions,
): Promise<StartedService> {
  const { runtime, config } = readSettings(options.env, (env) => ({
    runtime: readRuntimeSettings(env),
    config: Object.freeze(service.config(env)),
  }))
  const { operations, tracing } = options
  const { keys, serverCheckTimeoutMs } = runtime
  const log = createLogger(service.name, runtime.logLevel)
  const failPoint = createFailPoint(service.name, runtime.failAt)
  const lifecycle = new Lifecycle()
  const stopping = new AbortController()
  // Each stream adds a listener.
  setMaxListeners(0, stopping.signal)
  try {
    const { database, pools } = await openDatabase(service.name, runtime, log, lifecycle)
    await prepareSchema(service, database, runtime.migrateAtStart, log)
    if (service.storesObjects) await requireStore(options.objects, serverCheckTimeoutMs)

    const db = createDb<unknown>(pools.requests)
    const workers = createWorkers(
      { service, jobPool: pools.jobs, settings: runtime, log, failPoint, tracing },
      lifecycle,
    )
    const writes = createWrites(db, failPoint, workers.wakePeriodic)
    const bus = await openBus(database, runtime, log)
    lifecycle.onStop(() => bus[Symbol.asyncDispose]())
    const events = createEvents<unknown>({
      service: service.name,
      publishes: service.publishes ?? [],
      consumers: service.consumers ?? [],
      db,
      ...writes,
      pool: pools.events,
      database,
      bus,
      settings: runtime.events,
      log,
      tracing,
    })
    const mailer = openMailer(runtime.mail, { connectionsMax: runtime.jobConcurrency, log })
    lifecycle.onStop(() => mailer[Symbol.asyncDispose]())
    if (service.jobs?.includes(sendMailJob)) {
      void warnUnreachableMailServer(runtime.mail, serverCheckTimeoutMs, log)
    }
    const limits = await openLimits(runtime.limits.redisUrl, { service: service.name, keys, log })
    lifecycle.onStop(() => limits[Symbol.asyncDispose]())

    const transportTo = (desc: DescService) => {
      const transport = options.transportTo(desc)
      return failPoint ? callsWithFailPoints(transport, failPoint) : transport
    }
    const client: Kit<unknown>['client'] = (desc) => lazyClient(desc, transportTo)
    const objects = tracing ? tracedStore(options.objects) : options.objects
    const kit = createKit({
      service,
      db,
      database,
      writes,
      wakeJobs: workers.wakeJobs,
      events,
      bus,
      limits,
      mailer,
      mailFrom: runtime.mail.from,
      objects: failPoint ? storeWithFailPoints(objects, failPoint) : objects,
      client,
      stopping: stopping.signal,
      keys,
      log,
    })
    const ctx = service.context(kit, config)
    const requests = createRequestLimiter(limits, runtime.limits.requestsPerMinuteMax)
    await limits.waitUntilConnected(serverCheckTimeoutMs)
    const started = await service.start?.(ctx)
    if (started) lifecycle.onStop(() => started[Symbol.asyncDispose]())

    const isHealthy = createProbe(pools.probes)
    const optionalServers = {
      ...(bus.isAvailable && { NATS: bus.isAvailable }),
      ...(limits.isAvailable && { Redis: limits.isAvailable }),
      ...(service.storesObjects && { 'object store': () => isStoreAvailable(options.objects) }),
      ...service.optionalServers?.(ctx),
    }
    if (operations) watchService(operations, service, { pools, isHealthy, optionalServers })
    const readiness = createReadiness(serverCheckTimeoutMs)
    readiness.needs('database', isHealthy)
    for (const [name, check] of Object.entries(optionalServers)) readiness.uses(name, check)
    const { jobs, publishes = [], consumers = [] } = service
    return {
      name: service.name,
      operated: {
        name: service.name,
        db,
        jobNames: jobs?.map((job) => job.name),
        consumerNames: consumers.map((consumer) => consumer.name),
        hasEvents: publishes.length > 0 || consumers.length > 0,
        readiness,
        staff: client(StaffService),
        wakeJobs: workers.wakeJobs,
      },
      server: createRpcServer(service, ctx, {
        client,
        keys,
        requests,
        isHealthy,
        log,
        operations,
        tracing,
      }),
      async work() {
        await workers.start(ctx, events)
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
