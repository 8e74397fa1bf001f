import { Counter, Histogram, type Registry } from 'prom-client'
import type { Metrics } from './metrics.js'

// From in-memory responses to large uploads.
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** Measures requests and calls: number, outcome and duration. */
export function measureServed(registry: Registry): Pick<Metrics, 'requestServed' | 'callServed'> {
  const registers = [registry]
  const requests = new Counter({
    name: 'figbase_http_requests_total',
    help: 'HTTP requests by route; status 499: the client disconnected.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'figbase_http_request_duration_seconds',
    help: 'Duration of HTTP requests, to the last byte of the response.',
    labelNames: ['method', 'route'],
    buckets: secondsBuckets,
    registers,
  })
  const calls = new Counter({
    name: 'figbase_rpc_calls_total',
    help: 'RPC calls by service and status code.',
    labelNames: ['service', 'method', 'code'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'figbase_rpc_call_duration_seconds',
    help: 'Duration of RPC calls in the service; streams to their end.',
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
