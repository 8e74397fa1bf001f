import type pg from 'pg'
import { createDb } from '../db/pool.js'
import { readEventDepth } from '../events/depth.js'
import { readJobDepths } from '../jobs/depth.js'
import type { Service } from '../service.js'
import type { Operations } from './open.js'

export type WatchedPools = {
  /** By what each is for. */
  pools: Record<string, pg.Pool>
  /** Of which what waits is counted. */
  probePool: pg.Pool
  /** Whether the database answers. */
  isHealthy(): Promise<boolean>
}

/** Has the operations port tell of a service: its connections, its queues, its database. */
export function watchService(
  { metrics, readiness }: Operations,
  { name, jobs, publishes = [], consumers = [] }: Service,
  { pools, probePool, isHealthy }: WatchedPools,
): void {
  readiness.add(`${name} database`, isHealthy)
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
