import type { IncomingMessage } from 'node:http'
import { tooManyRequests } from '@figbase/kit/limits'
import type { Reply } from '../endpoint.js'
import { requireCaller } from './authenticate.js'
import { answerTo, HttpError, serverError } from './errors.js'
import type { Caller, Gateway } from './gateway.js'
import { RawJson, writeJson } from './json/json-writer.js'
import { loggedCaller } from './logged-caller.js'
import { loggedPath } from './logged-path.js'
import { problemOf, wantsProblem } from './problem.js'
import { runEndpoint } from './run-endpoint.js'

export type BatchRead = {
  /** With the prefix `/api/`. */
  path: string
  headers: Record<string, string>
  signal: AbortSignal
  /** What the responses of the batch may still have together. */
  room: { bytes: number }
}

/** `body` is null without one. */
export type BatchReply = {
  status: number
  headers: Record<string, string>
  body: RawJson
}

/**
 * Handles a GET of a batch, like a request of the same caller: it is counted, its permissions are checked, and it is
 * logged. Never rejects.
 */
export async function readInBatch(
  gateway: Gateway,
  batch: IncomingMessage,
  caller: Caller,
  read: BatchRead,
): Promise<BatchReply> {
  const started = performance.now()
  const req = requestOf(batch, read)
  const reply = await answer(gateway, req, caller, read).catch((error: unknown) =>
    errorReply(gateway, req, error, read.signal),
  )
  const ms = Math.round((performance.now() - started) * 10) / 10
  const { status } = reply
  const logged = { path: loggedPath(read.path), status, ms, ...loggedCaller(caller.principal) }
  gateway.log.info({ method: 'GET', ...logged }, 'request in a batch')
  return reply
}

/** Headers of the batch that each of its requests has, too: who sends it, and from where. */
const inherited = ['authorization', 'host', 'user-agent', 'x-forwarded-for'] as const

/** A request without a body on the connection of the batch. */
function requestOf(batch: IncomingMessage, { path, headers }: BatchRead): IncomingMessage {
  const shared = inherited.map((name) => [name, batch.headers[name]])
  return Object.create(batch, {
    method: { value: 'GET' },
    url: { value: path },
    headers: { value: { ...headers, ...Object.fromEntries(shared) } },
  }) as IncomingMessage
}

async function answer(
  gateway: Gateway,
  req: IncomingMessage,
  caller: Caller,
  { signal, room }: BatchRead,
): Promise<BatchReply> {
  const allowance = gateway.requests.count(caller.principal.username, caller.address)
  if (allowance.isExceeded) throw tooManyRequests(allowance)
  const match = gateway.find(req)
  if (match instanceof HttpError) throw match
  if (match === undefined || match === 'done') throw notInBatch()
  requireCaller(match.endpoint, caller.principal)
  signal.throwIfAborted()
  return toBatchReply(await runEndpoint(gateway, match, req, caller, signal), room)
}

async function toBatchReply(reply: Reply, room: BatchRead['room']): Promise<BatchReply> {
  const { status, headers = {} } = reply
  if ('empty' in reply) return { status, headers, body: new RawJson('null') }
  if ('end' in reply) reply.end.abort()
  if (!('body' in reply)) throw notInBatch()
  const { body } = writeJson(reply.body)
  const text = await collect(body, room)
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...type, ...headers }, body: new RawJson(text) }
}

/** Ends the sources of a stream that is too large. */
async function collect(body: string | AsyncIterable<string>, room: BatchRead['room']) {
  const chunks = typeof body === 'string' ? [body] : body
  let text = ''
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += Buffer.byteLength(chunk)
    if (bytes > room.bytes) throw tooLarge()
    text += chunk
  }
  // Other requests of the batch may have used it meanwhile.
  if (bytes > room.bytes) throw tooLarge()
  room.bytes -= bytes
  return text
}

function errorReply(
  gateway: Gateway,
  req: IncomingMessage,
  error: unknown,
  signal: AbortSignal,
): BatchReply {
  const known = answerTo(signal.aborted ? timedOut() : error)
  if (!known) gateway.log.error({ err: error }, 'request in a batch failed')
  const { status, headers, body } = known ?? serverError
  const isProblem = wantsProblem(req.headers)
  const text = isProblem ? problemOf({ status, headers, body }).text : JSON.stringify(body)
  const type = isProblem ? 'application/problem+json' : 'application/json; charset=utf-8'
  return { status, headers: { 'content-type': type, ...headers }, body: new RawJson(text) }
}

const notInBatch = () =>
  new HttpError(406, 'not_acceptable', 'the response is not JSON: send this request by itself')

const tooLarge = () =>
  new HttpError(413, 'too_large', 'the response does not fit into the batch: send it by itself')

const timedOut = () =>
  new HttpError(504, 'deadline_exceeded', 'the batch timed out: send this request again')
