import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestServed } from '@figbase/kit'
import type { Endpoint } from '../endpoint.js'
import { type Find, fullPath } from './router.js'

/** What express answers, outside the API and the pages. */
const sitePaths = new Set(['/', '/healthz', '/readyz'])
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Measures a request from now to the last byte of its answer. */
export type Measure = (req: IncomingMessage, res: ServerResponse, match: ReturnType<Find>) => void

/** Tells of each request under the route that it took; all that took none share one. */
export function measuring(
  endpoints: Endpoint[],
  pages: Endpoint[],
  served: RequestServed,
): Measure {
  const routes = new Map<Endpoint, string>()
  for (const endpoint of endpoints) routes.set(endpoint, fullPath(endpoint))
  for (const page of pages) routes.set(page, page.path)
  const routeOf = (req: IncomingMessage, match: ReturnType<Find>) => {
    if (typeof match === 'object' && 'endpoint' in match) return routes.get(match.endpoint)
    const path = req.url?.split('?')[0] ?? ''
    return match === undefined && sitePaths.has(path) ? path : undefined
  }
  return (req, res, match) => {
    const started = performance.now()
    const { method = '' } = req
    const methodLabel = methods.has(method) ? method : 'other'
    const route = routeOf(req, match) ?? 'none'
    res.once('close', () => {
      const status = res.headersSent ? res.statusCode : 499
      served(methodLabel, route, status, performance.now() - started)
    })
  }
}
