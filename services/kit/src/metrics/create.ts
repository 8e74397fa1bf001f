import { collectDefaultMetrics, Registry } from 'prom-client'
import { shared } from '../operations/within.js'
import { measureDepths } from './depths.js'
import { measureEventLoop } from './event-loop.js'
import type { Metrics } from './metrics.js'
import { measurePools } from './pools.js'
import { measureServed } from './served.js'

/** `timeoutMs`: how long a reading waits for the database. */
export function createMetrics(timeoutMs: number): Metrics {
  const registry = new Registry()
  measureProcess(registry)
  const eventLoop = measureEventLoop(registry)
  const { requestServed, callServed } = measureServed(registry)
  const watchPools = measurePools(registry)
  const { watchDepths, readDepths } = measureDepths(registry, timeoutMs)
  return {
    requestServed,
    callServed,
    watchPools,
    watchDepths,
    contentType: registry.contentType,
    text: shared(async () => {
      await readDepths()
      return registry.metrics()
    }),
    [Symbol.dispose]: () => eventLoop[Symbol.dispose](),
  }
}

/** Memory, CPU, garbage collection, and the like. */
function measureProcess(register: Registry) {
  // Seldom: what it measures is not used.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 10_000 })
  // Begins anew with each scrape, whoever made it; `event-loop.ts` does not.
  for (const { name } of register.getMetricsAsArray()) {
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name)
  }
}
