import type { IncomingMessage, ServerResponse } from 'node:http'
import createRouter, { type HTTPMethod } from 'find-my-way'
import type { Config } from '../config.js'
import type { Route } from '../endpoint.js'
import { isVersion } from '../versions.js'
import { HttpError } from './errors.js'
import type { Match } from './gateway.js'
import { corsHeaders, preflightHeaders, safeHeaders } from './headers.js'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Finds the endpoint of a request: a match, an error to send, `done` if the response has been sent, or undefined
 * outside the API and the HTML pages. `res` is used only for OPTIONS. `closedPaths` exist but allow no method: 405.
 */
export type FindEndpoint = (
  req: IncomingMessage,
  res?: ServerResponse,
) => Match | HttpError | 'done' | undefined

export function createEndpointFinder(
  endpoints: Route[],
  closedPaths: string[],
  pages: Route[],
  cfg: Config,
): FindEndpoint {
  const router = createRouter({ ignoreTrailingSlash: true })
  // Pages accept ids of any length, so that a mangled link gets an error page.
  const pageRouter = createRouter({ ignoreTrailingSlash: true, maxParamLength: 100_000 })
  for (const page of pages) pageRouter.on(page.method, page.path as `/${string}`, () => {}, page)
  const closed = createRouter({ ignoreTrailingSlash: true })
  for (const path of closedPaths) closed.on('GET', path, () => {})
  for (const endpoint of endpoints) {
    router.on(endpoint.method, fullPath(endpoint), () => {}, endpoint)
  }
  return (req, res) => {
    const path = (req.url ?? '/').split('?')[0] ?? '/'
    const method = req.method as HTTPMethod
    const isPage = path !== '/api' && !path.startsWith('/api/')
    // The router would take it for the root.
    if (path === '*') return undefined
    if (isPage) return lookUpToRead(pageRouter, method, path)
    const hit = lookUpToRead(router, method, path) ?? lookUpOverride(router, req, path)
    if (hit) return hit
    const allowed = methods.filter((other) => lookUpToRead(router, other, path))
    if (allowed.length === 0 && !closed.find('GET', path)) return unknownRoute(path)
    const allow = [...allowed, 'OPTIONS'].join(', ')
    if (req.method === 'OPTIONS' && res) {
      res
        .writeHead(204, {
          ...safeHeaders,
          ...corsHeaders,
          ...preflightHeaders,
          ...optionsOf(router, allowed[0], path, cfg),
          'access-control-allow-methods': allow,
          allow,
        })
        .end()
      return 'done'
    }
    return new HttpError(
      405,
      'method_not_allowed',
      `${req.method} is not allowed here: use ${allow}`,
      { allow },
    )
  }
}

type Router = ReturnType<typeof createRouter>

function lookUp(router: Router, method: HTTPMethod, path: string): Match | undefined {
  const hit = router.find(method, path)
  return hit ? { endpoint: hit.store as Route, params: hit.params } : undefined
}

/** Falls back to GET for HEAD. */
const lookUpToRead = (router: Router, method: HTTPMethod, path: string) =>
  lookUp(router, method, path) ?? (method === 'HEAD' ? lookUp(router, 'GET', path) : undefined)

/** Supports X-HTTP-Method-Override, for clients behind proxies that allow only some methods. */
function lookUpOverride(router: Router, { method, headers }: IncomingMessage, path: string) {
  const wanted = String(headers['x-http-method-override'] ?? '').toUpperCase()
  const known = methods.find((one) => one === wanted)
  const hit = method === 'POST' && known ? lookUp(router, known, path) : undefined
  return hit?.endpoint.allowsMethodOverride ? hit : undefined
}

function optionsOf(router: Router, method: HTTPMethod | undefined, path: string, cfg: Config) {
  const hit = method && lookUp(router, method, path)
  return hit?.endpoint.optionsHeaders?.(cfg)
}

export const fullPath = ({ path }: Route): string =>
  path.startsWith('/api/') ? path : `/api/:version${path}`

function unknownRoute(path: string) {
  const version = path.split('/')[2] ?? ''
  if (/^v\d/.test(version) && !isVersion(version)) {
    return new HttpError(404, 'unknown_version', `unknown API version ${version}`)
  }
  return new HttpError(404, 'not_found', 'route not found')
}
