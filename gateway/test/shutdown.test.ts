import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { startEdge } from './start-edge.js'

const ask = async (port: number, path: string, agent?: Agent) => {
  const req = request({ port, host: '127.0.0.1', path, agent }).end()
  const [res] = await once(req, 'response')
  const body = Buffer.concat(await res.toArray()).toString()
  const { connection, 'keep-alive': keepAlive } = res.headers
  return { status: res.statusCode, connection, keepAlive, body }
}

test('a stopping gateway is not ready, still serves, and closes connections after each response', async () => {
  await using edge = await startEdge(() => {}, { SHUTDOWN_DELAY: '20s' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = await ask(edge.port, '/api/v1/info/', agent)
  assert.deepEqual([before.status, before.connection], [200, 'keep-alive'])
  assert.equal(before.keepAlive, 'timeout=10')
  edge.leave()
  const kept = await ask(edge.port, '/api/v1/info/', agent)
  assert.deepEqual([kept.status, kept.connection, kept.keepAlive], [200, 'close', undefined])
  const fresh = await ask(edge.port, '/api/v1/info/')
  assert.deepEqual([fresh.status, fresh.connection], [200, 'close'])
  const ready = await ask(edge.port, '/readyz')
  assert.equal(ready.status, 503)
  assert.deepEqual(JSON.parse(ready.body).not_ready, [{ name: 'stop', why: 'is under way' }])
  agent.destroy()
})

test('a client closes its idle connection before the gateway', async () => {
  await using edge = await startEdge(() => {}, { KEEP_ALIVE_TIMEOUT: '4s' })
  const agent = new Agent({ keepAlive: true, timeout: 60_000 })
  const began = performance.now()
  await ask(edge.port, '/api/v1/info/', agent)
  const [socket] = Object.values(agent.freeSockets).flat()
  assert.ok(socket, 'it is kept')
  await once(socket, 'close')
  assert.equal(socket.readableEnded, false, 'the gateway has not closed it')
  const idleMs = performance.now() - began
  assert.ok(idleMs < 3500, `closed after ${idleMs} ms`)
  agent.destroy()
})
