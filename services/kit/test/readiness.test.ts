import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogService } from '@figbase/proto/catalog'
import { keysFrom } from '../src/keys/index.js'
import { clientInterceptor, connectPeers } from '../src/rpc/index.js'
import {
  defineService,
  internalKeyPurpose,
  type Service,
  startServing,
} from '../src/service/index.js'
import {
  createTestDatabase,
  natsSkipReason,
  redisSkipReason,
  startNatsServer,
  startRedisServer,
} from '../src/testing/index.js'

const secret = 'a secret of the tests'
const keys = keysFrom(secret).derive(internalKeyPurpose)

const service: Service = defineService({
  name: 'catalog',
  config: () => ({}),
  storesObjects: true,
  migrations: [],
  context: (kit) => kit,
  routes: () => (router) => router.service(CatalogService, { listNodes: () => ({}) }),
})

async function start(databaseUrl: string, env: Record<string, string> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-readiness-'))
  const served = await startServing(service, {
    DATABASE_URL: databaseUrl,
    FIGBASE_SECRET_KEY: secret,
    LOG_LEVEL: 'silent',
    OBJECTS_DIR: dir,
    OPERATIONS_PORT: '0',
    ...env,
  })
  return {
    served,
    async state() {
      const response = await fetch(`http://127.0.0.1:${served.operationsPort}/readyz`)
      const body = (await response.json()) as { degraded: { name: string }[] }
      return { status: response.status, degraded: body.degraded.map(({ name }) => name) }
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await rm(dir, { recursive: true })
    },
  }
}

async function until(done: () => Promise<boolean>, what: string) {
  const end = performance.now() + 30_000
  while (!(await done())) {
    if (performance.now() > end) throw new Error(`waited too long for ${what}`)
    await sleep(50)
  }
}

test('reports unavailable NATS and Redis as degraded while ready, and their recovery', {
  skip: natsSkipReason() || redisSkipReason(),
}, async () => {
  await using database = await createTestDatabase()
  await using nats = await startNatsServer()
  await using redis = await startRedisServer()
  await using at = await start(database.url, { NATS_URL: nats.url, REDIS_URL: redis.url })
  const isDegraded = async (...names: string[]) => {
    const { status, degraded } = await at.state()
    assert.equal(status, 200)
    return degraded.sort().join() === names.join()
  }
  assert.ok(await isDegraded())
  await redis.stop()
  await until(() => isDegraded('Redis'), 'the loss of Redis')
  await nats.stop()
  await until(() => isDegraded('NATS', 'Redis'), 'the loss of NATS')
  await Promise.all([nats.start(), redis.start()])
  await until(() => isDegraded(), 'their return')
})

test('a peer without its database is not serving', async () => {
  const database = await createTestDatabase()
  await using at = await start(database.url)
  const urls = { catalog: [`http://127.0.0.1:${at.served.port}`], tasks: ['http://127.0.0.1:1'] }
  await using peers = connectPeers(urls, [clientInterceptor(keys)])
  const isServing = async (name: string) =>
    peers.checks
      .get(name)?.()
      .catch(() => 'unreachable')
  assert.equal(await isServing('catalog'), true)
  assert.equal(await isServing('tasks'), 'unreachable')
  await database[Symbol.asyncDispose]()
  await until(async () => (await isServing('catalog')) === false, 'the loss of the database')
})
