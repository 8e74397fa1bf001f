import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { startEdge } from './start-edge.js'

const ask = async (port: number, path: string, agent?: Agent) => {
  const req = request({ port, host: '127.0.0.1', path, agent }).end()
  const [res] = await once(req, 'response')
  const body = Buffer.concat(await res.toArray()).toString()
  return { status: res.statusCode, connection: res.headers.connection, body }
}

test('a stopping gateway is not ready, still serves, and closes connections after each response', async () => {
  await using edge = await startEdge(() => {})
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = await ask(edge.port, '/api/v1/info/', agent)
  assert.deepEqual([before.status, before.connection], [200, 'keep-alive'])
  edge.leave()
  const kept = await ask(edge.port, '/api/v1/info/', agent)
  assert.deepEqual([kept.status, kept.connection], [200, 'close'])
  const fresh = await ask(edge.port, '/api/v1/info/')
  assert.deepEqual([fresh.status, fresh.connection], [200, 'close'])
  const ready = await ask(edge.port, '/readyz')
  assert.equal(ready.status, 503)
  assert.deepEqual(JSON.parse(ready.body).not_ready, [{ name: 'stop', why: 'is under way' }])
  agent.destroy()
})
