import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '../endpoint.js'
import { type FindEndpoint, fullPath } from './router.js'

/** The paths outside the API and the HTML pages; see `app.ts`. */
const sitePaths = new Set(['/healthz', '/readyz'])
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method and route of a request as labels of bounded number: never text that a client sent. */
export type NameRequest = (
  req: IncomingMessage,
  match: ReturnType<FindEndpoint>,
) => { method: string; route: string }

export function createRequestNamer(endpoints: Route[], pages: Route[]): NameRequest {
  const routes = new Map<Route, string>()
  for (const endpoint of endpoints) routes.set(endpoint, fullPath(endpoint))
  for (const page of pages) routes.set(page, page.path)
  const routeOf = (req: IncomingMessage, match: ReturnType<FindEndpoint>) => {
    if (typeof match === 'object' && 'endpoint' in match) return routes.get(match.endpoint)
    const path = req.url?.split('?')[0] ?? ''
    return match === undefined && sitePaths.has(path) ? path : undefined
  }
  return (req, match) => {
    const { method = '' } = req
    return { method: methods.has(method) ? method : 'other', route: routeOf(req, match) ?? 'none' }
  }
}

/** 499: the client closed the connection before the response. */
export const responseStatus = (res: ServerResponse): number =>
  res.headersSent ? res.statusCode : 499
