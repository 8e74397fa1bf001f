import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { accepts } from '../src/postgres/database.js'

test('accepts() polls a server that closes connections, and returns false when the server ends', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-accepts-'))
  let connections = 0
  let over = () => {}
  const end = new Promise<void>((resolve) => {
    over = resolve
  })
  const server = createServer((socket) => {
    socket.on('error', () => {}).destroy()
    connections++
    if (connections === 50) over()
  })
  server.listen(join(dir, '.s.PGSQL.5432'))
  await once(server, 'listening')
  const url = `postgres://figbase@localhost/postgres?host=${encodeURIComponent(dir)}`
  const outcome = await accepts(url, end).catch((error) => error)
  server.close()
  await rm(dir, { recursive: true })
  assert.equal(outcome, false)
})
