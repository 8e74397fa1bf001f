import type { IncomingMessage } from 'node:http'
import { hasBody } from '@figbase/kit/http'
import { actAs } from '@figbase/kit/rpc'
import type { Input, Reply, Route } from '../endpoint.js'
import { isSince, isVersion, newest, type Version, versions } from '../versions.js'
import { isStillValid } from './authenticate.js'
import { boundedBytes } from './body.js'
import type { BodyReader } from './body-reader.js'
import { readValidBody, scanBody } from './endpoint-body.js'
import { HttpError } from './errors.js'
import type { Caller, Gateway, Match } from './gateway.js'
import { idempotencyKeyOf } from './idempotency-key.js'
import { readInBatch } from './read-in-batch.js'
import { runOnce } from './run-once.js'
import { namesRevision, revisionId } from './short-id.js'
import { validate } from './validate.js'

/** Prepares the input of an endpoint (version, query, body) and calls its handler. */
export async function runEndpoint(
  gateway: Gateway,
  { endpoint, params }: Match,
  req: IncomingMessage,
  caller: Caller,
  signal: AbortSignal,
): Promise<Reply> {
  const { principal, requestId, address } = caller
  const { cfg, services, parquet, readSite, startedOn, bodyReader } = gateway
  const streamCall = { ...actAs(principal, requestId, address), signal }
  const input: Input = {
    params: definedOf(params),
    query: {},
    body: undefined,
    headers: req.headers,
    url: req.url ?? '',
    isHead: req.method === 'HEAD',
    version: versionFor(endpoint, params.version),
    username: principal.username,
    services,
    call: { ...streamCall, timeoutMs: cfg.callTimeoutMs },
    streamCall,
    cfg,
    parquet,
    readSite,
    startedOn,
    clientAddress: gateway.addressOf(req),
    clientGone: signal,
    readInBatch: (read) => readInBatch(gateway, req, caller, read),
    bytes: () => boundedBytes(req, cfg.uploadBytesMax, bodyReader),
    isAllowed: () => isStillValid(gateway, endpoint, req, address),
    stopping: gateway.stopping,
  }
  if (params.id !== undefined && namesRevision(endpoint)) {
    input.params.id = await revisionId(input, params.id)
  }
  if (endpoint.query) input.query = validate(endpoint.query, queryOf(req))
  const key = idempotencyKeyOf(endpoint, req.headers)
  if (key === undefined) return readAndHandle(endpoint, input, req, bodyReader)
  return runOnce({ key, endpoint, input, req, bodyReader, log: gateway.log })
}

/** `received` is called before the handler. */
export async function readAndHandle(
  endpoint: Route,
  input: Input,
  req: IncomingMessage,
  bodyReader: BodyReader,
  received?: () => Promise<void>,
): Promise<Reply> {
  if (endpoint.upload || endpoint.bytesType) {
    await received?.()
    return runStreaming(endpoint, input, req, bodyReader)
  }
  if (endpoint.body) {
    const isEmpty = endpoint.isBodyOptional && !hasBody(req)
    input.body = isEmpty
      ? validate(endpoint.body, {})
      : await readValidBody(endpoint, input, req, bodyReader)
  }
  await received?.()
  if (endpoint.isLong)
    return withoutIdleTimeout(input, req, () => endpoint.handle(input, nothing()))
  return endpoint.handle(input, nothing())
}

/** The body reader checks the throughput, and processing may take longer than the idle timeout. */
function runStreaming(endpoint: Route, input: Input, req: IncomingMessage, bodyReader: BodyReader) {
  return withoutIdleTimeout(input, req, () => {
    const upload = endpoint.upload ? scanBody(endpoint, req, input.cfg, bodyReader) : nothing()
    return endpoint.handle(input, upload)
  })
}

async function withoutIdleTimeout(input: Input, req: IncomingMessage, run: () => Promise<Reply>) {
  req.socket.setTimeout(0)
  try {
    return await run()
  } finally {
    req.socket.setTimeout(input.cfg.idleTimeoutMs)
  }
}

async function* nothing() {}

function versionFor(endpoint: Route, text: string | undefined): Version {
  if (text === undefined) return newest
  if (!isVersion(text)) {
    const known = versions.join(', ')
    throw new HttpError(
      404,
      'unknown_version',
      `unknown API version ${text}: must be one of ${known}`,
    )
  }
  if (!isSince(text, endpoint.since)) {
    throw new HttpError(
      404,
      'not_found',
      `route not found: it was added in version ${endpoint.since}`,
    )
  }
  return text
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
