import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientAddressOf } from '@figbase/kit/net'
import { anonymous } from '@figbase/kit/rpc'
import { inScope, type Span } from '@figbase/kit/tracing'
import type { Principal } from '@figbase/proto/common'
import type { Rendered, Reply, Route } from '../endpoint.js'
import { textsOf } from '../texts/texts.js'
import { authenticate } from './authenticate.js'
import { answerTo, type ErrorAnswer, HttpError, serverError } from './errors.js'
import type { Gateway, Match } from './gateway.js'
import { closeAfter } from './keep-alive.js'
import { loggedCaller } from './logged-caller.js'
import { loggedPath } from './logged-path.js'
import { problemOf, wantsProblem } from './problem.js'
import { applyRateLimit } from './rate-limit.js'
import { respond } from './respond.js'
import { runEndpoint } from './run-endpoint.js'

/** `res` has the header `X-Request-Id`. Handles a request of the API or an HTML page until the last byte of the response. Never rejects. */
export function dispatch(
  gateway: Gateway,
  match: Match | HttpError,
  req: IncomingMessage,
  res: ServerResponse,
  span?: Span,
): Promise<void> {
  const requestId = String(res.getHeader('x-request-id'))
  return inScope({ requestId, span }, () => answer(gateway, match, req, res, requestId))
}

async function answer(
  gateway: Gateway,
  match: Match | HttpError,
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
): Promise<void> {
  const started = performance.now()
  const clientGone = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) clientGone.abort()
  })
  const address = clientAddressOf(gateway.addressOf(req))
  let principal = anonymous
  let isCounted = false
  const count = () => {
    isCounted = true
    return applyRateLimit(res, gateway.requests.count(principal.username, address))
  }
  try {
    if (match instanceof HttpError) throw match
    const { headers = {} } = match.endpoint
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    const deprecation = gateway.cfg.deprecations.get(match.params.version ?? '')
    if (deprecation) res.setHeaders(new Map(Object.entries(deprecation)))
    const identified = authenticate(gateway, match.endpoint, req, address)
    principal = identified instanceof Promise ? await identified : identified
    const excess = count()
    if (excess) throw excess
    const caller = { principal, requestId, address }
    const reply = await runEndpoint(gateway, match, req, caller, clientGone.signal)
    if (gateway.stopping.aborted) closeAfter(res)
    await respond(req, res, await renderPage(gateway, req, principal, reply))
  } catch (thrown) {
    const error = isCounted ? thrown : (count() ?? thrown)
    const errorReply = match instanceof HttpError ? undefined : match.endpoint.errorReply
    await sendError(gateway, req, res, { error, errorReply, principal })
  } finally {
    const ms = Math.round((performance.now() - started) * 10) / 10
    const path = loggedPath(req.url ?? '')
    const status = res.headersSent ? res.statusCode : 499
    const caller = loggedCaller(principal)
    gateway.log.info({ method: req.method, path, status, ms, ...caller }, 'request')
  }
}

async function sendError(
  gateway: Gateway,
  req: IncomingMessage,
  res: ServerResponse,
  {
    error,
    errorReply,
    principal,
  }: { error: unknown; errorReply: Route['errorReply']; principal: Principal },
): Promise<void> {
  if (res.headersSent || req.socket.destroyed || (req.destroyed && !req.complete)) {
    // Too late for an error response: abort the connection.
    if (!req.socket.destroyed) gateway.log.warn({ err: error }, 'response aborted')
    res.destroy()
    return
  }
  const answer = answerTo(error)
  if (!answer) gateway.log.error({ err: error }, 'request failed')
  else if (isUnreached(answer)) gateway.log.warn({ reasons: reasonsOf(error) }, 'request refused')
  const { status, body, headers } = answer ?? serverError
  if (gateway.stopping.aborted) closeAfter(res)
  const reply =
    errorReply?.(answer ?? serverError, { url: req.url ?? '', headers: req.headers }) ??
    (wantsProblem(req.headers) ? problemOf({ status, body, headers }) : { status, headers, body })
  await respond(req, res, await renderPage(gateway, req, principal, reply)).catch(() =>
    res.destroy(),
  )
}

/** Whether a service could not be reached, or not in time. Other refusals are those of a service. */
const isUnreached = ({ body: { error } }: ErrorAnswer) =>
  error === 'unavailable' || error === 'deadline_exceeded'

/** The messages of an error and of its causes. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  return [error.message, ...(error.cause === undefined ? [] : reasonsOf(error.cause))]
}

/** Renders a page in the language of the reader, with the name and the announcement of the site. */
async function renderPage(
  { readSite }: Gateway,
  req: IncomingMessage,
  { username }: Principal,
  reply: Reply,
): Promise<Rendered> {
  if (!('page' in reply)) return reply
  const { page, ...rest } = reply
  const texts = textsOf(req)
  return {
    ...rest,
    headers: { ...rest.headers, 'content-language': texts.language },
    type: 'text/html; charset=utf-8',
    text: page({ site: await readSite(), texts, username }),
  }
}
