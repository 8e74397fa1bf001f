import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { authorization, startEdge } from './edge.js'
import { dial, head } from './wire.js'

/** Refused before a service is asked, and before anything is awaited. */
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

test('a refused request without a body keeps its connection', async () => {
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

test('refused requests that come in one packet are all answered, in their order', async () => {
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

for (const [what, headers, body] of [
  ['announced', { 'content-length': '10' }, '{"name": 1'],
  ['in chunks', { 'transfer-encoding': 'chunked' }, 'a\r\n{"name": 1\r\n0\r\n\r\n'],
] as const) {
  test(`a refused body that still comes ends the connection: ${what}`, async () => {
    await using edge = await startEdge(() => {})
    using wire = await dial(edge.port)
    wire.write(head('POST', '/api/v1/workspace/', { ...headers, authorization: 'Bearer x' }))
    await once(wire.socket, 'data')
    assert.ok(wire.isOpen())
    wire.write(body)
    const answer = await wire.answer()
    assert.equal(answer.status, 401)
    assert.match(answer.text, /^connection: close\r$/m)
  })
}
