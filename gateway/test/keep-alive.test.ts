import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { conflict } from '@figbase/kit/errors'
import { CatalogService } from '@figbase/proto/catalog'
import { RevisionsService } from '@figbase/proto/revisions'
import { authorization, startEdge } from './start-edge.js'
import { chunk, chunked, dial, head } from './wire.js'

/** A request that is rejected synchronously, before any RPC. */
const refusals = [
  ['GET', '/api/v1/workspace/', {}, 401],
  ['GET', '/api/v1/nothing/', authorization(), 404],
  ['GET', '/api/v9/user/', authorization(), 404],
  ['HEAD', '/api/v1/workspace/', {}, 401],
  ['HEAD', '/api/v1/nothing/', {}, 404],
  ['DELETE', '/api/v1/figure/x/', {}, 401],
  ['DELETE', '/api/v1/info/', {}, 405],
  ['POST', '/api/v1/workspace/', { 'content-length': '0' }, 401],
  ['POST', '/api/v1/info/', { 'content-length': '0' }, 405],
  ['POST', '/api/v1/revision/', { 'content-length': '0' }, 401],
] as const

test('keeps the connection after a rejected request without a body', async () => {
  await using edge = await startEdge(() => {})
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  for (const [method, path, headers, status] of [...refusals, ...refusals]) {
    const req = request({ port: edge.port, host: '127.0.0.1', method, path, headers, agent }).end()
    const [res] = await once(req, 'response')
    const what = `${method} ${path}`
    assert.deepEqual([res.statusCode, res.headers.connection], [status, 'keep-alive'], what)
    ports.add(req.socket?.localPort)
    await once(res.resume(), 'end')
  }
  assert.equal(ports.size, 1)
  agent.destroy()
})

test('answers pipelined rejected requests in order', async () => {
  await using edge = await startEdge(() => {})
  using wire = await dial(edge.port)
  const headOf = ([method, path, headers]: (typeof refusals)[number]) =>
    head(method, path, { authorization: '', ...headers })
  const last = head('GET', '/api/v1/info/', { connection: 'close' })
  wire.write(refusals.map(headOf).join('') + last)
  const { text } = await wire.answer()
  const answered = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  assert.deepEqual(answered, [...refusals.map(([, , , status]) => status), 200])
})

test('keeps the connection after HEAD of a chunked response', async () => {
  await using edge = await startEdge((router) =>
    router.service(CatalogService, { listNodes: () => ({ nodes: [] }) }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  for (let i = 0; i < 3; i++) {
    const path = '/api/v1/workspace/'
    const headers = authorization()
    const options = { port: edge.port, host: '127.0.0.1', method: 'HEAD', path, headers, agent }
    const req = request(options).end()
    const [res] = await once(req, 'response')
    assert.equal(res.statusCode, 200)
    ports.add(req.socket?.localPort)
    await once(res.resume(), 'end')
  }
  assert.equal(ports.size, 1)
  agent.destroy()
})

for (const [what, first, status] of [
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n', 405],
  ['an unknown expectation', head('POST', '/api/token/', { expect: 'x' }), 417],
] as const) {
  test(`answers ${what} before it closes the connection`, async () => {
    await using edge = await startEdge(() => {})
    using wire = await dial(edge.port)
    wire.write(first)
    const answer = await wire.answer()
    assert.equal(answer.status, status)
    assert.match(answer.text, /^connection: close\r$/im)
    assert.ok(answer.json().error)
  })
}

for (const [what, env] of [
  ['bytes', { REFUSED_BODY_BYTES_MAX: '1MiB', REFUSED_BODY_TIMEOUT: '1h' }],
  ['time', { REFUSED_BODY_BYTES_MAX: '1TiB', REFUSED_BODY_TIMEOUT: '300ms' }],
] as const) {
  test(`limits how much of a rejected body is read: ${what}`, async () => {
    const served: Socket[] = []
    const note = (message: unknown) => void served.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', note)
    await using edge = await startEdge(() => {}, env)
    using wire = await dial(edge.port)
    wire.write(head('POST', '/api/v1/nothing/', { 'content-length': String(2 ** 50) }))
    const piece = 'x'.repeat(65_536)
    // The client never reads, and would send forever.
    while (!wire.socket.destroyed) {
      await new Promise((resolve) => {
        wire.socket.once('close', resolve)
        wire.socket.write(piece, resolve)
      })
      wire.socket.removeAllListeners('close')
    }
    unsubscribe('net.server.socket', note)
    const [socket = assert.fail()] = served
    assert.equal(served.length, 1)
    if (what === 'bytes') assert.ok(socket.bytesRead < 2 ** 25, `${socket.bytesRead} bytes`)
  })
}

test('the unread rest of a received body does not block the next request', async () => {
  await using edge = await startEdge((router) =>
    router.service(RevisionsService, {
      async createRevision(parts) {
        for await (const { part } of parts) if (part.case === 'chunk') break
        // By then everything sent so far has been received.
        await turn()
        throw conflict('enough', 'the rest is not read')
      },
    }),
  )
  using wire = await dial(edge.port)
  const opening = `{"figure":"${randomUUID()}","data":[{"type":"file","data":"`
  const pieces = [opening, ...Array.from({ length: 6 }, () => 'A'.repeat(4000)), '"}]}']
  const body = `${pieces.map(chunk).join('')}0\r\n\r\n`
  wire.write(head('POST', '/api/v1/revision/', chunked) + body)
  wire.write(head('GET', '/api/v1/info/', { connection: 'close' }))
  const { text } = await wire.answer()
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  assert.deepEqual(statuses, [409, 200])
})

for (const [what, headers, body] of [
  ['with Content-Length', { 'content-length': '10' }, '{"name": 1'],
  ['in chunks', { 'transfer-encoding': 'chunked' }, 'a\r\n{"name": 1\r\n0\r\n\r\n'],
] as const) {
  test(`closes the connection if a rejected body is still being sent: ${what}`, async () => {
    await using edge = await startEdge(() => {})
    using wire = await dial(edge.port)
    wire.write(head('POST', '/api/v1/workspace/', { ...headers, authorization: 'Bearer x' }))
    await once(wire.socket, 'data')
    wire.write(body)
    const answer = await wire.answer()
    assert.equal(answer.status, 401)
    assert.match(answer.text, /^connection: close\r$/im)
  })
}
