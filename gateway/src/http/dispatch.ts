import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Code } from '@connectrpc/connect'
import {
  actAs,
  anonymous,
  type CredentialReaders,
  clientAddressOf,
  hasCode,
  inScope,
  type Logger,
  type ReadSite,
  type RequestLimiter,
  type Span,
  unauthenticated,
} from '@figbase/kit'
import type { Principal } from '@figbase/proto/common'
import type { Config } from '../config.js'
import type { Endpoint, Input, Rendered, Reply, Services } from '../endpoint.js'
import { isSince, isVersion, newest, type Version, versions } from '../versions.js'
import { authenticate } from './authenticate.js'
import { boundedBytes, checkLength, checkTexts, hasBody, kindOfBody, readBody } from './body.js'
import { answerTo, HttpError, serverError } from './errors.js'
import { scanUpload } from './json/upload-scanner.js'
import { tellAllowance } from './limits.js'
import { loggedCaller } from './logged-caller.js'
import { loggedPath } from './logged-path.js'
import type { Pace } from './pace.js'
import { respond } from './respond.js'
import { readSession } from './session.js'
import { namesRevision, revisionId } from './short-id.js'
import { validate } from './validate.js'

export type Gateway = {
  cfg: Config
  services: Services
  log: Logger
  credentials: CredentialReaders
  pace: Pace
  requests: RequestLimiter
  readSite: ReadSite
  startedOn: Date
  addressOf(req: IncomingMessage): string
  stopping: AbortSignal
}

export type Match = { endpoint: Endpoint; params: Record<string, string | undefined> }

type Caller = { principal: Principal; requestId: string; address: string }

/** One request of the API, from its head to the last byte of the answer. Never rejects. */
export function dispatch(
  gateway: Gateway,
  match: Match | HttpError,
  req: IncomingMessage,
  res: ServerResponse,
  span?: Span,
): Promise<void> {
  const requestId = requestIdOf(req)
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
  const hangUp = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) hangUp.abort()
  })
  res.setHeader('x-request-id', requestId)
  const address = clientAddressOf(gateway.addressOf(req))
  let principal = anonymous
  let isCounted = false
  const count = () => {
    isCounted = true
    return tellAllowance(res, gateway.requests.count(principal.username, address))
  }
  try {
    if (match instanceof HttpError) throw match
    const { headers = {} } = match.endpoint
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    const identified = identify(gateway, match.endpoint, req, address)
    principal = identified instanceof Promise ? await identified : identified
    const excess = count()
    if (excess) throw excess
    const caller = { principal, requestId, address }
    const reply = await handle(gateway, match, req, caller, hangUp.signal)
    if (gateway.stopping.aborted) res.setHeader('connection', 'close')
    await respond(req, res, await rendered(gateway, reply))
  } catch (thrown) {
    const error = isCounted ? thrown : (count() ?? thrown)
    const refusal = match instanceof HttpError ? undefined : match.endpoint.refusal
    await refuse(gateway, req, res, { error, refusal })
  } finally {
    const ms = Math.round((performance.now() - started) * 10) / 10
    const path = loggedPath(req.url ?? '')
    const status = res.headersSent ? res.statusCode : 499
    const caller = loggedCaller(principal)
    gateway.log.info({ method: req.method, path, status, ms, ...caller }, 'request')
  }
}

/** A promise only where identity is asked, so that nobody else waits. */
function identify(
  gateway: Gateway,
  endpoint: Endpoint,
  req: IncomingMessage,
  address: string,
): Principal | Promise<Principal> {
  const header = endpoint.auth === 'none' ? undefined : req.headers.authorization
  if (endpoint.takesSession && header === undefined && req.headers.cookie) {
    return readSession(gateway, req)
  }
  const principal = authenticate(header, gateway.credentials, address)
  if (principal instanceof Promise) return principal
  if (endpoint.auth === 'required' && !principal.username) {
    throw unauthenticated('not_authenticated', 'sign in first: send an Authorization header')
  }
  return principal
}

/** That nobody can tell is no reason to end an answer. */
async function isGood(
  gateway: Gateway,
  endpoint: Endpoint,
  req: IncomingMessage,
  address: string,
): Promise<boolean> {
  try {
    await identify(gateway, endpoint, req, address)
    return true
  } catch (error) {
    return !hasCode(error, Code.Unauthenticated)
  }
}

async function handle(
  gateway: Gateway,
  { endpoint, params }: Match,
  req: IncomingMessage,
  { principal, requestId, address }: Caller,
  signal: AbortSignal,
): Promise<Reply> {
  const { cfg, services, startedOn, pace } = gateway
  const streamCall = { ...actAs(principal, requestId, address), signal }
  const input: Input = {
    params: definedOf(params),
    query: {},
    body: undefined,
    headers: req.headers,
    version: versionFor(endpoint, params.version),
    username: principal.username,
    services,
    call: { ...streamCall, timeoutMs: cfg.callTimeoutMs },
    streamCall,
    cfg,
    startedOn,
    clientAddress: gateway.addressOf(req),
    bytes: () => boundedBytes(req, cfg.uploadBytesMax, pace),
    isAllowed: () => isGood(gateway, endpoint, req, address),
    stopping: gateway.stopping,
  }
  if (params.id !== undefined && namesRevision(endpoint)) {
    input.params.id = await revisionId(input, params.id)
  }
  if (endpoint.query) input.query = validate(endpoint.query, queryOf(req))
  if (endpoint.upload || endpoint.bytesType) return receive(endpoint, input, req, pace)
  if (endpoint.body) {
    const isEmpty = endpoint.isBodyOptional && !hasBody(req)
    input.body = isEmpty ? validate(endpoint.body, {}) : await bodyFor(endpoint, input, req, pace)
  }
  return endpoint.handle(input, nothing())
}

/** The pace of the body is looked after; what is done with it may take longer than a connection may be silent. */
async function receive(endpoint: Endpoint, input: Input, req: IncomingMessage, pace: Pace) {
  req.socket.setTimeout(0)
  try {
    const upload = endpoint.upload ? uploadOf(endpoint, req, input.cfg, pace) : nothing()
    return await endpoint.handle(input, upload)
  } finally {
    req.socket.setTimeout(input.cfg.idleTimeoutMs)
  }
}

/** An object that a stranger may not touch is refused as such, however odd the body. */
async function bodyFor(endpoint: Endpoint, input: Input, req: IncomingMessage, pace: Pace) {
  const { jsonBodyBytesMax: bytesMax, jsonDepthMax: depthMax, jsonValuesMax: valuesMax } = input.cfg
  const kind = kindOfBody(req, endpoint.acceptsForm ?? false)
  let body: unknown
  try {
    const read = await readBody(req, kind, { bytesMax, depthMax, valuesMax, pace })
    body = read.value
    checkTexts(read)
    return validate(endpoint.body as NonNullable<Endpoint['body']>, body)
  } catch (error) {
    const guard = endpoint.guard?.(input.params, body)
    if (!guard || answerTo(error)?.status !== 400) throw error
    await input.services.catalog.checkAccess(guard, input.call).catch((refusal: unknown) => {
      // An unknown parent is not what is wrong first.
      if (!hasCode(refusal, Code.NotFound) || input.params.id) throw refusal
    })
    throw error
  }
}

function uploadOf(endpoint: Endpoint, req: IncomingMessage, cfg: Config, pace: Pace) {
  const bytesMax = endpoint.bodyBytesMax?.(cfg) ?? cfg.uploadBodyBytesMax
  kindOfBody(req, false)
  checkLength(req, bytesMax)
  return scanUpload(boundedBytes(req, bytesMax, pace), {
    memberBytesMax: cfg.memberBytesMax,
    objectsMax: cfg.uploadObjectsMax,
    depthMax: cfg.jsonDepthMax,
    membersMax: 100 * cfg.uploadObjectsMax,
  })
}

async function* nothing() {}

function versionFor(endpoint: Endpoint, text: string | undefined): Version {
  if (text === undefined) return newest
  if (!isVersion(text)) {
    const known = versions.join(', ')
    throw new HttpError(404, 'unknown_version', `there is no version ${text}: there are ${known}`)
  }
  if (!isSince(text, endpoint.since)) {
    throw new HttpError(404, 'not_found', `this route exists since version ${endpoint.since}`)
  }
  return text
}

async function refuse(
  gateway: Gateway,
  req: IncomingMessage,
  res: ServerResponse,
  { error, refusal }: { error: unknown; refusal: Endpoint['refusal'] },
): Promise<void> {
  if (res.headersSent || req.socket.destroyed || (req.destroyed && !req.complete)) {
    // Too late for an answer: the caller has gone, or sees that it breaks off.
    res.destroy()
    return
  }
  const answer = answerTo(error)
  if (!answer) gateway.log.error({ err: error }, 'a request failed')
  const { status, body, headers } = answer ?? serverError
  if (gateway.stopping.aborted) res.setHeader('connection', 'close')
  const reply = refusal?.(answer ?? serverError, req.url ?? '') ?? { status, headers, body }
  await respond(req, res, await rendered(gateway, reply)).catch(() => res.destroy())
}

/** A page with the name of the site, and what is announced. */
async function rendered({ readSite }: Gateway, reply: Reply): Promise<Rendered> {
  if (!('page' in reply)) return reply
  const { page, ...rest } = reply
  return { ...rest, type: 'text/html; charset=utf-8', text: page(await readSite()) }
}

function requestIdOf(req: IncomingMessage) {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

function queryOf(req: IncomingMessage) {
  const url = req.url ?? ''
  const mark = url.indexOf('?')
  return mark < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)))
}

function definedOf(params: Record<string, string | undefined>) {
  const defined: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) defined[name] = value
  }
  return defined
}
