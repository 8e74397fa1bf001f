import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { test } from 'node:test'
import type { ConnectRouter } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { status } from '@grpc/grpc-js'
import { signAccessToken } from '../src/keys/index.js'
import { createLogger } from '../src/log.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { user } from '../src/rpc/index.js'
import { serverInterceptor } from '../src/rpc/interceptors.js'
import { signPrincipal } from '../src/rpc/principal.js'
import { callerKeys } from './clients.js'

const ann = { username: 'ann', isStaff: false, generation: 0 }
const bearer = (key = callerKeys.tokens) => `Bearer ${signAccessToken(ann, key, 3_600_000)}`
const service = '/figbase.revisions.v1.RevisionsService'

async function serve() {
  const calls: string[] = []
  const routes = (router: ConnectRouter) =>
    router.service(RevisionsService, {
      getRevision: ({ id }) => {
        calls.push(id)
        return {}
      },
    })
  const interceptors = [serverInterceptor(callerKeys, createLogger('test', 'silent'), {})]
  const served = { routes, interceptors, callerKeys, isHealthy: async () => true }
  const address = { host: '127.0.0.1', port: 0, shutdownTimeoutMs: 10_000 }
  const server = await serveHttp2([served], address)
  const session = connect(`http://127.0.0.1:${server.port}`)
  return {
    calls,
    /** A call that sends parts of a request and never ends it. */
    begin(headers: Record<string, string>, bytes = Buffer.alloc(0)) {
      const all = { ':method': 'POST', 'content-type': 'application/grpc', ...headers }
      const stream = session.request(all, { endStream: false })
      stream.on('error', () => {})
      if (bytes.length > 0) stream.write(bytes)
      return stream
    },
    async [Symbol.asyncDispose]() {
      session.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}

// The prefix of an 8 MB message, of which only a little is sent.
const begun = Buffer.concat([Buffer.from([0, 0, 0x80, 0, 0]), Buffer.alloc(1000)])

const strangers: [string, Record<string, string>, number][] = [
  ['without credentials', {}, status.UNAUTHENTICATED],
  [
    'with a token of another installation',
    { authorization: bearer(callerKeys.peers) },
    status.UNAUTHENTICATED,
  ],
  [
    'with a principal that no peer signed',
    { 'figbase-principal': signPrincipal(user('ann'), callerKeys.tokens) },
    status.UNAUTHENTICATED,
  ],
  [
    'of a step between services',
    { ':path': `${service}/FindExisting`, authorization: bearer() },
    status.PERMISSION_DENIED,
  ],
  [
    'with an API key that may only read',
    { ':path': `${service}/CreateRevision`, authorization: 'Token read-key-of-ann' },
    status.PERMISSION_DENIED,
  ],
]

for (const [what, headers, code] of strangers) {
  test(`refuses a call ${what} before reading its message`, async () => {
    await using at = await serve()
    const path = `${service}/GetRevision`
    const stream = at.begin({ ':path': path, ...headers }, begun)
    const [trailers] = await once(stream.resume(), 'trailers')
    assert.equal(trailers['grpc-status'], String(code))
    assert.ok(trailers['grpc-status-details-bin'])
    await once(stream, 'close')
    assert.equal(stream.rstCode, 0)
  })
}

test('responds with a refusal in the protocol of the call', async () => {
  await using at = await serve()
  const type = { 'content-type': 'application/proto' }
  const stream = at.begin({ ':path': `${service}/GetRevision`, ...type }, begun)
  const [headers] = await once(stream, 'response')
  assert.equal(headers[':status'], 401)
  let text = ''
  for await (const bytes of stream) text += bytes
  assert.equal(JSON.parse(text).code, 'unauthenticated')
})

test('reads the whole message of an authenticated call', async () => {
  await using at = await serve()
  const headers = { ':path': `${service}/GetRevision`, authorization: bearer() }
  const stream = at.begin(headers, Buffer.from([0, 0, 0, 0, 3, 0x0a]))
  stream.end(Buffer.from('\x01a', 'latin1'))
  const [trailers] = await once(stream.resume(), 'trailers')
  assert.equal(trailers['grpc-status'], '0')
  assert.deepEqual(at.calls, ['a'])
})

for (const [what, bytes] of [
  ['ends early', Buffer.from([0, 0, 0, 0, 2, 0x0a])],
  ['is missing', Buffer.alloc(0)],
] as const) {
  test(`a message that ${what} is a client error`, async () => {
    await using at = await serve()
    const headers = { ':path': `${service}/GetRevision`, authorization: bearer() }
    const stream = at.begin(headers, bytes)
    stream.end()
    const [trailers] = await once(stream.resume(), 'trailers')
    const code = Number(trailers['grpc-status'])
    assert.ok([status.INVALID_ARGUMENT, status.UNIMPLEMENTED].includes(code), String(code))
    assert.deepEqual(at.calls, [])
  })
}
