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
  collectDefaultMetrics({ register: registry })
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
