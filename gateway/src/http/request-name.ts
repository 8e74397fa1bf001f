import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../endpoint.js'
import { type Find, fullPath } from './router.js'

/** What express answers, outside the API and the pages. */
const sitePaths = new Set(['/', '/healthz', '/readyz'])
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method and the route of a request, of a kind: nothing in them is what somebody sent. */
export type NameRequest = (
  req: IncomingMessage,
  match: ReturnType<Find>,
) => { method: string; route: string }

export function namingRequests(endpoints: Endpoint[], pages: Endpoint[]): NameRequest {
  const routes = new Map<Endpoint, string>()
  for (const endpoint of endpoints) routes.set(endpoint, fullPath(endpoint))
  for (const page of pages) routes.set(page, page.path)
  const routeOf = (req: IncomingMessage, match: ReturnType<Find>) => {
    if (typeof match === 'object' && 'endpoint' in match) return routes.get(match.endpoint)
    const path = req.url?.split('?')[0] ?? ''
    return match === undefined && sitePaths.has(path) ? path : undefined
  }
  return (req, match) => {
    const { method = '' } = req
    return { method: methods.has(method) ? method : 'other', route: routeOf(req, match) ?? 'none' }
  }
}

/** 499: the caller has gone before its answer. */
export const statusOf = (res: ServerResponse): number => (res.headersSent ? res.statusCode : 499)
