import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Metrics } from './metrics.js'

type Watched = { service: string; pool: string; of: pg.Pool }

/** The connections to PostgreSQL, as they are when they are read. */
export function measurePools(registry: Registry): Metrics['watchPools'] {
  const watched: Watched[] = []
  new Gauge({
    name: 'figbase_db_pool_connections',
    help: 'Connections to PostgreSQL that are open, by what the pool is for.',
    labelNames: ['service', 'pool', 'state'],
    registers: [registry],
    collect() {
      for (const { service, pool, of } of watched) {
        this.set({ service, pool, state: 'idle' }, of.idleCount)
        this.set({ service, pool, state: 'busy' }, of.totalCount - of.idleCount)
      }
    },
  })
  new Gauge({
    name: 'figbase_db_pool_connections_max',
    help: 'Connections that the pool opens at most.',
    labelNames: ['service', 'pool'],
    registers: [registry],
    collect() {
      for (const { service, pool, of } of watched) this.set({ service, pool }, of.options.max)
    },
  })
  new Gauge({
    name: 'figbase_db_pool_waiting',
    help: 'Queries and transactions that wait for a connection.',
    labelNames: ['service', 'pool'],
    registers: [registry],
    collect() {
      for (const { service, pool, of } of watched) this.set({ service, pool }, of.waitingCount)
    },
  })
  return (service, pools) => {
    for (const [pool, of] of Object.entries(pools)) watched.push({ service, pool, of })
  }
}
