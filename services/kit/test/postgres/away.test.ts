import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, Code } from '@connectrpc/connect'
import { CatalogService } from '@figbase/proto/catalog'
import { actAsSystem } from '../../src/rpc/index.js'
import { defineService, type Service } from '../../src/service/index.js'
import {
  createTestDatabase,
  postgres15SkipReason,
  startFaultyProxy,
  startPostgresServer,
  startTestService,
} from '../../src/testing/index.js'
import { failureOf } from '../failure-of.js'

const service: Service = defineService({
  name: 'catalog',
  config: () => ({}),
  migrations: [],
  context: ({ db }) => ({ db }),
  routes:
    ({ db }) =>
    (router) =>
      router.service(CatalogService, {
        async listNodes() {
          await db.selectFrom('pg_class').select('relname').limit(1).execute()
          return {}
        },
      }),
})

type Calls = Client<typeof CatalogService>

async function assertRefused(client: Calls) {
  const { code, rawMessage } = await failureOf(client.listNodes({}, actAsSystem()))
  assert.equal(code, Code.Unavailable)
  assert.match(rawMessage, /try again soon/)
}

async function answered(client: Calls) {
  const end = performance.now() + 30_000
  for (;;) {
    try {
      return await client.listNodes({}, actAsSystem())
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(50)
    }
  }
}

test('calls fail with Unavailable while the database is down or unresponsive, and recover', {
  skip: postgres15SkipReason(),
}, async () => {
  await using server = await startPostgresServer()
  await using database = await createTestDatabase(server.url)
  await using proxy = await startFaultyProxy(server.url)
  const url = new URL(database.url)
  url.port = new URL(proxy.url).port
  const env = { DATABASE_CONNECT_TIMEOUT: '1s', DATABASE_QUERY_TIMEOUT: '1s' }
  await using running = await startTestService(service, {
    transport: 'http2',
    databaseUrl: url.href,
    env,
  })
  const client = running.client(CatalogService)
  await answered(client)
  await proxy.stop()
  await assertRefused(client)
  await proxy.start()
  await answered(client)
  proxy.set('silent')
  await assertRefused(client)
  proxy.set('none')
  await answered(client)
})
