import type pg from 'pg'
import { createDb } from '../db/pool.js'
import { readEventDepth } from '../events/depth.js'
import { readJobDepths } from '../jobs/depth.js'
import type { Service } from '../service/service.js'
import type { Operations } from './open.js'
import type { Check } from './readiness.js'

export type WatchedService = {
  /** By purpose; `probes` is used for the readings. */
  pools: Record<'requests' | 'jobs' | 'events' | 'probes', pg.Pool>
  isHealthy(): Promise<boolean>
  /** Checks of the servers that the service can run without. */
  optionalServers: Record<string, Check>
}

/** Reports the connections, queues and database of a service on the operations endpoint. */
export function watchService(
  { metrics, readiness }: Operations,
  { name, jobs, publishes = [], consumers = [] }: Service,
  { pools, isHealthy, optionalServers }: WatchedService,
): void {
  readiness.needs(`${name} database`, isHealthy)
  for (const [server, check] of Object.entries(optionalServers)) readiness.uses(server, check)
  const { probes, ...watchedPools } = pools
  metrics.watchPools(name, watchedPools)
  const db = createDb<unknown>(probes)
  const jobNames = jobs?.map((job) => job.name)
  const consumerNames = consumers.map((consumer) => consumer.name)
  const hasEvents = publishes.length > 0 || consumers.length > 0
  metrics.watchDepths(name, {
    ...(jobNames && { jobs: () => readJobDepths(db, jobNames) }),
    ...(hasEvents && { events: () => readEventDepth(db, consumerNames) }),
  })
}
