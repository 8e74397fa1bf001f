import { Counter, Histogram, type Registry } from 'prom-client'
import type { Metrics } from './metrics.js'

// From what memory answers to what a large upload takes.
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** Requests and calls: how many, how they ended, and how long they took. */
export function measureServed(registry: Registry): Pick<Metrics, 'requestServed' | 'callServed'> {
  const registers = [registry]
  const requests = new Counter({
    name: 'figbase_http_requests_total',
    help: 'HTTP requests that the gateway answered, by route; 499: the caller had gone.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'figbase_http_request_duration_seconds',
    help: 'How long HTTP requests took, to the last byte of the answer.',
    labelNames: ['method', 'route'],
    buckets: secondsBuckets,
    registers,
  })
  const calls = new Counter({
    name: 'figbase_rpc_calls_total',
    help: 'Calls that services served, by the code of their end.',
    labelNames: ['service', 'method', 'code'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'figbase_rpc_call_duration_seconds',
    help: 'How long calls took in their service; streams to their end.',
    labelNames: ['service', 'method'],
    buckets: secondsBuckets,
    registers,
  })
  return {
    requestServed(method, route, status, ms) {
      requests.inc({ method, route, status })
      requestSeconds.observe({ method, route }, ms / 1000)
    },
    callServed: (service) => (desc, code, ms) => {
      const method = `${desc.parent.name}/${desc.name}`
      calls.inc({ service, method, code })
      callSeconds.observe({ service, method }, ms / 1000)
    },
  }
}
