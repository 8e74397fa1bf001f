import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Metrics } from './metrics.js'

type PoolEntry = { service: string; pool: string; of: pg.Pool }

/** Measures PostgreSQL connection pools when they are scraped. */
export function measurePools(registry: Registry): Metrics['watchPools'] {
  const entries: PoolEntry[] = []
  new Gauge({
    name: 'figbase_db_pool_connections',
    help: 'Open PostgreSQL connections by pool.',
    labelNames: ['service', 'pool', 'state'],
    registers: [registry],
    collect() {
      for (const { service, pool, of } of entries) {
        this.set({ service, pool, state: 'idle' }, of.idleCount)
        this.set({ service, pool, state: 'busy' }, of.totalCount - of.idleCount)
      }
    },
  })
  new Gauge({
    name: 'figbase_db_pool_connections_max',
    help: 'Maximum size of the pool.',
    labelNames: ['service', 'pool'],
    registers: [registry],
    collect() {
      for (const { service, pool, of } of entries) this.set({ service, pool }, of.options.max)
    },
  })
  new Gauge({
    name: 'figbase_db_pool_waiting',
    help: 'Queries and transactions waiting for a connection.',
    labelNames: ['service', 'pool'],
    registers: [registry],
    collect() {
      for (const { service, pool, of } of entries) this.set({ service, pool }, of.waitingCount)
    },
  })
  return (service, pools) => {
    for (const [pool, of] of Object.entries(pools)) entries.push({ service, pool, of })
  }
}
