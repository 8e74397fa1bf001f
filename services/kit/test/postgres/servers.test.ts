import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import {
  createTestDatabase,
  pgBouncerSkipReason,
  postgres15SkipReason,
  startPgBouncer,
  startPostgresServer,
} from '../../src/testing/index.js'

const skip = postgres15SkipReason() || pgBouncerSkipReason()

test('starts PostgreSQL 15 behind PgBouncer in transaction mode', { skip }, async () => {
  await using server = await startPostgresServer()
  await using database = await createTestDatabase(server.url)
  await using pooler = await startPgBouncer({ url: server.url })
  const client = new pg.Client(pooler.through(database.url))
  const other = new pg.Client(pooler.through(database.url))
  await client.connect()
  await other.connect()
  try {
    const { rows } = await client.query<{ version: string; pid: number }>(
      `select current_setting('server_version_num') as version, pg_backend_pid() as pid`,
    )
    assert.match(rows[0]?.version ?? '', /^15/)
    await other.query('begin')
    const { rows: held } = await other.query('select pg_backend_pid() as pid')
    assert.equal(held[0]?.pid, rows[0]?.pid, 'a released lock can be taken by the next session')
  } finally {
    await client.end()
    await other.end()
  }
})
