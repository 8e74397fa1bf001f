import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span, Tracing } from '@figbase/kit'
import { type NameRequest, statusOf } from './request-name.js'
import type { Find } from './router.js'

/** Traces a request from now to the last byte of its answer. */
export type Trace = (req: IncomingMessage, res: ServerResponse, match: ReturnType<Find>) => Span

/**
 * `isParentTrusted`: a trace that a caller is in is continued, and recorded where the caller says so.
 * Else each request begins its own: strangers decide neither how much is recorded nor what belongs
 * together.
 */
export function tracingRequests(
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
      const status = statusOf(res)
      const error = status >= 500 ? String(status) : undefined
      span.end(error, { 'http.response.status_code': status })
    })
    return span
  }
}
