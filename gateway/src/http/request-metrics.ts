import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestServed } from '@figbase/kit/metrics'
import { type NameRequest, responseStatus } from './request-name.js'
import type { FindEndpoint } from './router.js'

/** Measures a request until the last byte of its response. */
export type Measure = (
  req: IncomingMessage,
  res: ServerResponse,
  match: ReturnType<FindEndpoint>,
) => void

/** Reports each request with its route; requests without a route share one label. */
export function measureRequests(nameOf: NameRequest, served: RequestServed): Measure {
  return (req, res, match) => {
    const started = performance.now()
    const { method, route } = nameOf(req, match)
    res.once('close', () => served(method, route, responseStatus(res), performance.now() - started))
  }
}
