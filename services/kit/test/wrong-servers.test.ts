import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ConfigError } from '../src/config/index.js'
import { defineService, type Service, startServing } from '../src/service/index.js'
import {
  createTestDatabase,
  natsSkipReason,
  type SilentServer,
  startNatsServer,
  startSilentServer,
  type TestDatabase,
} from '../src/testing/index.js'

const service: Service = defineService({
  name: 'storing',
  config: () => ({}),
  storesObjects: true,
  migrations: [],
  context: (kit) => kit,
  routes: () => () => {},
})

let database: TestDatabase
let silentServer: SilentServer
let objectsDir: string
before(async () => {
  database = await createTestDatabase()
  silentServer = await startSilentServer()
  objectsDir = await mkdtemp(join(tmpdir(), 'figbase-wrong-servers-'))
})
after(async () => {
  await rm(objectsDir, { recursive: true })
  await silentServer[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** The startup error with these settings. */
async function refusal(env: Record<string, string>): Promise<string> {
  const settings = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    LOG_LEVEL: 'silent',
    OBJECTS_DIR: objectsDir,
  }
  const served = await startServing(service, { ...settings, ...env }).catch((error) => error)
  if (!(served instanceof ConfigError)) await served[Symbol.asyncDispose]?.()
  assert.ok(served instanceof ConfigError, String(served))
  assert.doesNotMatch(served.message, /hidden/)
  return served.message
}

const s3At = (endpoint: string) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: 'bucket',
  S3_ACCESS_KEY: 'a',
  S3_SECRET_KEY: 'hidden',
})

test('startup fails if a configured server is unavailable', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [
      { DATABASE_URL: 'postgres://ann:hidden@127.0.0.1:1/x' },
      /^DATABASE_URL: database unavailable: .*ECONNREFUSED/,
    ],
    [{ DATABASE_URL: 'postgres://ann:hidden@[x/y' }, /^DATABASE_URL is not valid: Invalid URL$/],
    [
      { NATS_URL: 'nats://ann:hidden@127.0.0.1:1' },
      /NATS_URL: NATS at 127\.0\.0\.1:1 is unavailable/,
    ],
    [{ REDIS_URL: 'redis://:hidden@127.0.0.1:1' }, /^REDIS_URL: Redis at 127\.0\.0\.1:1 /],
    [s3At('http://127.0.0.1:1'), /^S3_ENDPOINT: object store unavailable: .*ECONNREFUSED/],
  ]
  for (const [env, message] of cases) assert.match(await refusal(env), message)
})

test('startup times out if a server accepts connections and never responds', async () => {
  const late = 'timed out after 3000 ms|timeout'
  const cases: [Record<string, string>, string][] = [
    [
      { DATABASE_URL: `postgres://ann:hidden@${silentServer.host}/x` },
      `^DATABASE_URL: .*(${late})`,
    ],
    [
      { NATS_URL: `nats://${silentServer.host}` },
      `NATS_URL: NATS at ${silentServer.host} is unavailable: .*(${late})`,
    ],
    [{ REDIS_URL: `redis://${silentServer.host}` }, `^REDIS_URL: .*(${late})`],
    [s3At(`http://${silentServer.host}`), `^S3_ENDPOINT: .*(${late})`],
  ]
  const started = performance.now()
  await Promise.all(
    cases.map(async ([env, message]) => {
      const why = await refusal({ ...env, SERVER_CHECK_TIMEOUT: '3s' })
      assert.match(why, new RegExp(message, 'i'))
    }),
  )
  const ms = performance.now() - started
  assert.ok(ms < 8000, `it took ${ms} ms`)
})

test('names a wrong user, database or server', async () => {
  const { username } = new URL(database.url)
  const url = new URL(database.url)
  url.pathname = '/another'
  assert.match(
    await refusal({ DATABASE_URL: url.href }),
    /^DATABASE_URL: .*"another" does not exist/,
  )
  url.username = `${username}x`
  assert.match(await refusal({ DATABASE_URL: url.href }), /^DATABASE_URL: .*(role|authentication)/)
})

test('startup fails with NATS without JetStream', { skip: natsSkipReason() }, async () => {
  await using nats = await startNatsServer({ jetStream: false })
  assert.match(await refusal({ NATS_URL: nats.url }), /NATS_URL: NATS at .* has no JetStream/)
})

test('a service that stores objects does not start without an object store', async () => {
  assert.match(await refusal({ OBJECTS_DIR: '' }), /^S3_ENDPOINT or OBJECTS_DIR is required/)
})
