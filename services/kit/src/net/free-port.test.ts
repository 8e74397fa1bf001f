import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from './free-port.js'

test('gives another free port at each call', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  assert.equal(new Set(ports).size, 50)
  const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  for (const server of servers) server.close()
})
