import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Dependency } from '../operations/readiness.js'
import { singleFlight } from '../timing/memoize.js'
import { measureDependencies } from './dependencies.js'
import { measureDepths } from './depths.js'
import { measureEventLoop } from './event-loop.js'
import type { Metrics } from './metrics.js'
import { measurePools } from './pools.js'
import { measureServed } from './served.js'

/** `timeoutMs`: database timeout of a reading. */
export function createMetrics(
  timeoutMs: number,
  dependencies: () => Promise<Dependency[]> = async () => [],
): Metrics {
  const registry = new Registry()
  measureProcess(registry)
  const eventLoop = measureEventLoop(registry)
  const { requestServed, callServed } = measureServed(registry)
  const watchPools = measurePools(registry)
  const { watchDepths, readDepths } = measureDepths(registry, timeoutMs)
  const readDependencies = measureDependencies(registry, dependencies)
  return {
    requestServed,
    callServed,
    watchPools,
    watchDepths,
    contentType: registry.contentType,
    text: singleFlight(async () => {
      await Promise.all([readDepths(), readDependencies()])
      return registry.metrics()
    }),
    [Symbol.dispose]: () => eventLoop[Symbol.dispose](),
  }
}

/** Node.js metrics: memory, CPU, garbage collection and others. */
function measureProcess(register: Registry) {
  // Rarely: the event loop metrics are removed below.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 10_000 })
  // They are reset with each scrape, by whichever scraper; `event-loop.ts` measures instead.
  for (const { name } of register.getMetricsAsArray()) {
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name)
  }
}
