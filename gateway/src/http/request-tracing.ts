import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span, Tracing } from '@figbase/kit/tracing'
import { type NameRequest, responseStatus } from './request-name.js'
import type { FindEndpoint } from './router.js'

/** Traces a request until the last byte of its response. */
export type Trace = (
  req: IncomingMessage,
  res: ServerResponse,
  match: ReturnType<FindEndpoint>,
) => Span

/**
 * `isParentTrusted`: continue the trace of the `traceparent` header, with its sampling decision. Otherwise each
 * request starts a new trace, because untrusted clients must not decide how much is recorded.
 */
export function traceRequests(
  tracing: Tracing,
  nameOf: NameRequest,
  isParentTrusted: boolean,
): Trace {
  return (req, res, match) => {
    const { method, route } = nameOf(req, match)
    const given = isParentTrusted ? req.headers.traceparent : undefined
    const traceparent = typeof given === 'string' ? given : undefined
    const attributes = { 'http.request.method': method, 'http.route': route }
    const span = tracing.begin(`${method} ${route}`, 'server', attributes, traceparent)
    res.once('close', () => {
      const status = responseStatus(res)
      const error = status >= 500 ? String(status) : undefined
      span.end(error, { 'http.response.status_code': status })
    })
    return span
  }
}
