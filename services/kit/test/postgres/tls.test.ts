import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createPool } from '../../src/db/pool.js'
import { resolveDatabase } from '../../src/db/resolve-database.js'
import { openSession } from '../../src/db/session.js'
import { createLogger } from '../../src/log.js'
import {
  type PostgresServer,
  postgres15SkipReason,
  startPostgresServer,
} from '../../src/testing/index.js'
import { createAuthority, createTls } from '../certificates.js'

const log = createLogger('test', 'silent')

describe('a PostgreSQL with TLS', { skip: postgres15SkipReason() }, () => {
  let dir: string
  let server: PostgresServer
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'figbase-tls-'))
    const authority = await createAuthority('the right one')
    await writeFile(join(dir, 'ca.pem'), authority.cert)
    await writeFile(join(dir, 'other.pem'), (await createAuthority('another one')).cert)
    const { key, cert } = await createTls(authority)
    server = await startPostgresServer({ tls: { key, cert } })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rm(dir, { recursive: true, force: true })
  })

  const urlWith = (parameters: string, host = '127.0.0.1') =>
    `${server.url.replace('127.0.0.1', host)}?${parameters}`
  const resolve = (url: string) =>
    resolveDatabase({ databaseUrl: url, databaseDirectUrl: '' }, 'shop')

  test('verifies the certificate and encrypts pools and sessions', async () => {
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      const url = urlWith(`sslmode=${mode}&sslrootcert=${join(dir, 'ca.pem')}`)
      const database = await resolve(url)
      const pool = createPool({ ...database, schema: 'shop', connectionsMax: 1, log })
      await using session = await openSession(database, 'shop')
      const text = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
      for (const one of [pool, session.client]) {
        assert.deepEqual((await one.query(text)).rows, [{ ssl: true }])
      }
      await pool.end()
    }
  })

  test('startup fails with a certificate of an unknown authority or another host', async () => {
    const ca = `sslrootcert=${join(dir, 'ca.pem')}`
    const cases: [string, RegExp][] = [
      [urlWith(`sslmode=require&sslrootcert=${join(dir, 'other.pem')}`), /certificate/],
      [urlWith('sslmode=require'), /certificate/],
      [urlWith(`sslmode=verify-full&${ca}`, 'localhost'), /localhost|altnames/i],
      [urlWith('sslmode=verify-full&sslrootcert=/nowhere/ca.pem'), /ENOENT.*\/nowhere\/ca\.pem/],
      [urlWith('sslmode=verify_full'), /sslmode must be one of/],
    ]
    for (const [url, why] of cases) {
      await assert.rejects(resolve(url), ({ name, message }: Error) => {
        assert.equal(name, 'ConfigError')
        assert.match(message, /^DATABASE_URL: database unavailable: /)
        assert.match(message, why)
        assert.doesNotMatch(message, /password of the tests/)
        return true
      })
    }
  })

  test('does not fall back to an unencrypted connection', async () => {
    // PostgreSQL's response without TLS.
    const plain = createServer((socket) => socket.once('data', () => socket.end('N')))
    plain.listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const address = plain.address()
    assert.ok(address && typeof address === 'object')
    const url = `postgres://someone:secret@127.0.0.1:${address.port}/x?sslmode=require`
    await assert.rejects(resolve(url), /DATABASE_URL: .*does not support SSL/)
    plain.close()
  })
})
