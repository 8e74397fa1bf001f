import type pg from 'pg'
import { createDb } from '../db/pool.js'
import { readEventDepth } from '../events/depth.js'
import { readJobDepths } from '../jobs/depth.js'
import type { Service } from '../service.js'
import type { Operations } from './open.js'
import type { Check } from './readiness.js'

export type WatchedPools = {
  /** By what each is for. */
  pools: Record<string, pg.Pool>
  /** Of which what waits is counted. */
  probePool: pg.Pool
  /** Whether the database answers. */
  isHealthy(): Promise<boolean>
  /** Servers without which the service goes on, by name. */
  uses: Record<string, Check>
}

/** Has the operations port tell of a service: its connections, its queues, its database. */
export function watchService(
  { metrics, readiness }: Operations,
  { name, jobs, publishes = [], consumers = [] }: Service,
  { pools, probePool, isHealthy, uses }: WatchedPools,
): void {
  readiness.needs(`${name} database`, isHealthy)
  for (const [server, check] of Object.entries(uses)) readiness.uses(server, check)
  metrics.watchPools(name, pools)
  const db = createDb<unknown>(probePool)
  const jobNames = jobs?.map((job) => job.name)
  const consumerNames = consumers.map((consumer) => consumer.name)
  const hasEvents = publishes.length > 0 || consumers.length > 0
  metrics.watchDepths(name, {
    ...(jobNames && { jobs: () => readJobDepths(db, jobNames) }),
    ...(hasEvents && { events: () => readEventDepth(db, consumerNames) }),
  })
}
