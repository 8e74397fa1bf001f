import type pg from 'pg'
import { createPool } from '../db/pool.js'
import { type Database, resolveDatabase } from '../db/resolve-database.js'
import type { Lifecycle } from '../lifecycle/lifecycle.js'
import type { Logger } from '../log.js'
import type { readRuntimeSettings } from '../settings/runtime.js'

export type ServicePools = {
  requests: pg.Pool
  /** Separate, so that jobs are claimed, ended and kept alive however busy the service is. */
  jobs: pg.Pool
  events: pg.Pool
  /**
   * For health checks and metrics; connects on demand. Separate, so that a busy service is not reported as
   * unhealthy. Two connections, so that counting queues does not delay health checks.
   */
  probes: pg.Pool
}

export type ServiceDatabase = { database: Database; pools: ServicePools }

type Runtime = Readonly<ReturnType<typeof readRuntimeSettings>>

// For connecting and for each query.
const probeTimeoutMs = 1000

/** Resolves the database of a service and opens its connection pools. */
export async function openDatabase(
  service: string,
  runtime: Runtime,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<ServiceDatabase> {
  const resolved = await resolveDatabase(runtime, service, runtime.serverCheckTimeoutMs)
  const database = { ...resolved, limits: runtime.databaseLimits }
  if (!database.directUrl) {
    log.warn(
      'DATABASE_URL is a pooler and DATABASE_DIRECT_URL is not set: locks are held by open transactions, and events are polled every second',
    )
  }
  const open = (options: Omit<Parameters<typeof createPool>[0], 'url' | 'schema' | 'log'>) => {
    const pool = createPool({ ...database, schema: service, log, ...options })
    lifecycle.onStop(() => pool.end())
    return pool
  }
  return {
    database,
    pools: {
      requests: open({ connectionsMax: runtime.databaseConnectionsMax }),
      jobs: open({ purpose: 'jobs', connectionsMax: 2, lastingPlans: true }),
      events: open({ purpose: 'events', connectionsMax: 2 }),
      probes: open({
        purpose: 'probes',
        connectionsMax: 2,
        limits: { connectTimeoutMs: probeTimeoutMs, queryTimeoutMs: probeTimeoutMs },
        lastingPlans: true,
      }),
    },
  }
}
