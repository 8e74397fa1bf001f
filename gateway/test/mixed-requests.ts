// Sends mixed requests over keep-alive connections, in a separate process: `mixed-requests.js <port> <count> <seed>`.
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { authorization } from './start-edge.js'

export type MixedReport = {
  requests: number
  /** Requests with a body that was ignored or rejected. */
  bodies: number
  statuses: Record<string, number>
  /** Opened connections, and responses that announced the close of theirs. */
  connections: number
  toldToClose: number
  /** Requests whose connection closed before the response, each with its error code. */
  resets: string[]
  /** Connections that closed without announcement. */
  unexpectedEnds: string[]
  /** Requests with a 500 response. */
  failures: string[]
}

const [port = 0, count = 0, seed = 1] = process.argv.slice(2).map(Number)
const concurrency = 32
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

const report: MixedReport = {
  requests: 0,
  bodies: 0,
  statuses: {},
  connections: 0,
  toldToClose: 0,
  resets: [],
  unexpectedEnds: [],
  failures: [],
}

/** Mulberry32: a seeded random generator for reproducible requests. */
let state = seed
function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
}

function pick<T>(list: readonly T[]): T {
  const one = list[random(list.length)]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}

type Sent = { method: string; path: string; headers: OutgoingHttpHeaders; body: Buffer }

const id = '5b8f3c0e-3f1a-4f0e-9d5c-0c9b1f6f2a11'
const small = [0, 0, 1, 100, 1000, 5000, 16_384, 20_000]
const sizes = [...small, ...small, 65_536, 65_536, 300_000, 1_000_000]
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const tus = {
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-offset': '0',
}
const empty = Buffer.alloc(0)
const spaces = Buffer.alloc(1_000_000, ' ')
const letters = Buffer.alloc(1_000_000, 'A')
const data = (start: string, size: number) => {
  const head = `{"figure":"${id}","data":[{"type":"file","data":"${start}`
  return Buffer.concat([Buffer.from(head), letters.subarray(0, size), Buffer.from('"}]}')])
}
const signIn = Buffer.from('{"username":"ann","password":"x"}')

/** Many different users, so that only `busy` exceeds the rate limit. */
const newAddress = () => `10.${random(250)}.${random(250)}.${random(250)}`
const known = () => authorization(600_000, `user${random(20_000)}`)
const expired = authorization(-1000)
const busy = authorization(3_600_000, 'busy')

/** Requests that succeed if the body is not too large; most ignore it. */
const welcome: ((size: number) => Sent)[] = [
  () => ({ method: 'GET', path: '/api/v1/info/', headers: known(), body: empty }),
  () => ({ method: 'GET', path: '/api/v1/user/ann/', headers: known(), body: empty }),
  () => ({ method: 'GET', path: `/api/v1/data/${id}/?dl=1`, headers: known(), body: empty }),
  () => ({ method: 'GET', path: '/api/v1/comment/x/', headers: known(), body: empty }),
  () => ({ method: 'HEAD', path: '/api/v1/user/ann/', headers: known(), body: empty }),
  () => ({ method: 'GET', path: '/healthz', headers: {}, body: empty }),
  () => ({ method: 'GET', path: '/sign-in/', headers: {}, body: empty }),
  () => ({ method: 'OPTIONS', path: '/api/v1/figure/', headers: {}, body: empty }),
  (size) => ({
    method: 'POST',
    path: '/api/token/',
    headers: json,
    body: Buffer.concat([signIn, spaces.subarray(0, size)]),
  }),
  (size) => ({
    method: 'POST',
    path: '/api/v1/revision/',
    headers: { ...json, ...known() },
    body: data('', size - (size % 4)),
  }),
  (size) => ({
    method: 'PATCH',
    path: `/api/v1/upload/${id}/`,
    headers: { ...tus, ...known() },
    body: letters.subarray(0, size),
  }),
]

/** Requests that are rejected or answered without reading the body. */
const ignoring: ((body: Buffer) => Sent)[] = [
  ...['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT'].flatMap((method) =>
    ['/api/v1/info/', '/api/v1/workspace/', '/api/v1/nothing/', '/healthz', '/nowhere', '/'].map(
      (path) => (body: Buffer) => ({ method, path, headers: known(), body }),
    ),
  ),
  (body) => ({ method: 'GET', path: `/api/v1/data/${id}/?dl=1`, headers: known(), body }),
  (body) => ({ method: 'GET', path: `/figure/${id}/`, headers: {}, body }),
  (body) => ({ method: 'DELETE', path: `/api/v1/figure/${id}/`, headers: known(), body }),
  (body) => ({ method: 'DELETE', path: `/api/v1/figure/${id}/`, headers: {}, body }),
  (body) => ({ method: 'POST', path: '/api/v1/workspace/', headers: json, body }),
  (body) => ({ method: 'POST', path: '/api/v1/revision/', headers: { ...json, ...expired }, body }),
  (body) => ({ method: 'POST', path: '/api/v1/info/', headers: known(), body }),
  (body) => ({ method: 'POST', path: '/api/v9/figure/', headers: known(), body }),
  (body) => ({ method: 'GET', path: '/api/v1/user/ann/', headers: busy, body }),
  (body) => ({ method: 'POST', path: '/api/v1/figure/', headers: { ...json, ...busy }, body }),
  (body) => ({
    method: 'POST',
    path: '/api/v1/figure/',
    headers: { 'content-type': 'text/plain', ...known() },
    body,
  }),
  (body) => ({
    method: 'POST',
    path: '/api/v1/revision/',
    headers: { ...json, 'content-encoding': 'gzip', ...known() },
    body,
  }),
  (body) => ({ method: 'POST', path: '/api/v1/figure/', headers: { ...json, ...known() }, body }),
  (body) => ({ method: 'POST', path: '/api/v1/revision/', headers: { ...json, ...known() }, body }),
  (body) => ({
    method: 'POST',
    path: '/api/v1/revision/',
    headers: { ...json, ...known() },
    body: data('*', body.length),
  }),
  (body) => ({ method: 'POST', path: '/sign-in/', headers: form, body }),
  (body) => ({ method: 'POST', path: '/figure/', headers: form, body }),
  (body) => ({ method: 'PATCH', path: `/api/v1/upload/${id}/`, headers: known(), body }),
  (body) => ({
    method: 'PATCH',
    path: `/api/v1/upload/${id}/`,
    headers: { ...tus, 'upload-offset': '7', ...known() },
    body,
  }),
  (body) => ({
    method: 'HEAD',
    path: `/api/v1/upload/${id}/`,
    headers: { 'tus-resumable': '1.0.0', ...known() },
    body,
  }),
]

type Seen = { saidClose: boolean; isOurs: boolean; last: string; current: string }
const connections = new WeakMap<Socket, Seen>()

function seenOn(socket: Socket): Seen {
  const known = connections.get(socket)
  if (known) return known
  const seen: Seen = { saidClose: false, isOurs: false, last: 'nothing', current: 'nothing' }
  connections.set(socket, seen)
  report.connections++
  socket.on('close', () => {
    if (!seen.saidClose && !seen.isOurs) {
      report.unexpectedEnds.push(`${seen.current}, after ${seen.last}`)
    }
  })
  return seen
}

async function exchange({ method, path, headers, body }: Sent): Promise<void> {
  const isChunked = body.length > 0 && random(2) === 0
  const framing = isChunked
    ? { 'transfer-encoding': 'chunked' }
    : body.length > 0 || method === 'POST'
      ? { 'content-length': String(body.length) }
      : {}
  const all = { ...headers, ...framing, 'x-forwarded-for': newAddress() }
  const what = `${method} ${path} ${isChunked ? 'chunked' : 'with'} ${body.length}`
  const req = request({ host: '127.0.0.1', port, agent, method, path, headers: all })
  // Like many clients, reads nothing before everything is sent.
  const readsLate = random(3) === 0
  let seen: Seen | undefined
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    req.on('error', reject).on('response', (res: IncomingMessage) => {
      const saysClose = res.headers.connection?.toLowerCase() === 'close'
      if (saysClose) report.toldToClose++
      if (seen && saysClose) seen.saidClose = true
      resolve(res)
    })
  })
  req.on('socket', (socket: Socket) => {
    seen = seenOn(socket)
    seen.current = what
    if (!readsLate) return
    socket.pause()
    req.once('finish', () => socket.resume())
  })
  const failed = (error: Error & { code?: string }) => {
    report.resets.push(`${error.code ?? error.message}: ${what}, after ${seen?.last}`)
    req.destroy()
  }
  // Already reported as a reset; do not report the close as well.
  req.on('error', () => {
    if (seen) seen.isOurs = true
  })
  try {
    const [res] = await Promise.all([answered, send(req, body, random(4) === 0)])
    for await (const _ of res);
    if (!res.complete) throw new Error('the answer broke off')
    report.statuses[res.statusCode ?? 0] = (report.statuses[res.statusCode ?? 0] ?? 0) + 1
    if (res.statusCode === 500) report.failures.push(what)
    if (!seen) return
    seen.current = 'nothing'
    seen.last = `${res.statusCode} to ${what}`
  } catch (error) {
    failed(error as Error)
  }
}

/** Sends at once, or in pieces with pauses between them. */
async function send(req: ClientRequest, body: Buffer, inPieces: boolean): Promise<void> {
  if (!inPieces) {
    req.end(body)
    return
  }
  const pieceBytes = Math.ceil(body.length / 8)
  for (let at = 0; at < body.length && !req.destroyed; at += pieceBytes) {
    req.write(body.subarray(at, at + pieceBytes))
    await turn()
  }
  req.end()
}

function next(): Sent {
  const size = pick(sizes)
  if (random(2) === 0) return pick(welcome)(size)
  report.bodies++
  return pick(ignoring)(letters.subarray(0, size))
}

async function runAll(): Promise<void> {
  while (report.requests < count) {
    report.requests++
    await exchange(next())
  }
}

await Promise.all(Array.from({ length: concurrency }, runAll))
// Wait a moment for connections that the server would close now.
await new Promise((resolve) => setTimeout(resolve, 200))
for (const sockets of Object.values(agent.freeSockets)) {
  for (const socket of sockets ?? []) seenOn(socket).isOurs = true
}
process.send?.(report)
agent.destroy()
process.disconnect()
