import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ConfigError, defineService, type Service, startServing } from '../src/index.js'
import {
  type BlackHole,
  createTestDatabase,
  startBlackHole,
  startNatsServer,
  type TestDatabase,
  whyWithoutNats,
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
let hole: BlackHole
let objectsDir: string
before(async () => {
  database = await createTestDatabase()
  hole = await startBlackHole()
  objectsDir = await mkdtemp(join(tmpdir(), 'figbase-wrong-servers-'))
})
after(async () => {
  await rm(objectsDir, { recursive: true })
  await hole[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Why the service does not start with these settings. */
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

test('a server that a setting names, and that is not there, stops the start', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [
      { DATABASE_URL: 'postgres://ann:hidden@127.0.0.1:1/x' },
      /^DATABASE_URL: the database cannot be used: .*ECONNREFUSED/,
    ],
    [{ DATABASE_URL: 'postgres://ann:hidden@[x/y' }, /^DATABASE_URL is not valid: Invalid URL$/],
    [{ NATS_URL: 'nats://ann:hidden@127.0.0.1:1' }, /NATS_URL, 127\.0\.0\.1:1, cannot be used/],
    [{ REDIS_URL: 'redis://:hidden@127.0.0.1:1' }, /^REDIS_URL: the Redis at 127\.0\.0\.1:1 /],
    [s3At('http://127.0.0.1:1'), /^S3_ENDPOINT: the object store does not work: .*ECONNREFUSED/],
  ]
  for (const [env, message] of cases) assert.match(await refusal(env), message)
})

test('one that takes connections and never answers stops it within a bound', async () => {
  const late = 'no answer within 3000 ms|timeout'
  const cases: [Record<string, string>, string][] = [
    [{ DATABASE_URL: `postgres://ann:hidden@${hole.host}/x` }, `^DATABASE_URL: .*(${late})`],
    [{ NATS_URL: `nats://${hole.host}` }, `NATS_URL, ${hole.host}, cannot be used: .*(${late})`],
    [{ REDIS_URL: `redis://${hole.host}` }, `^REDIS_URL: .*(${late})`],
    [s3At(`http://${hole.host}`), `^S3_ENDPOINT: .*(${late})`],
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

test('a user, a database or a server that is another one is named', async () => {
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

test('a NATS without JetStream stops the start', { skip: whyWithoutNats() }, async () => {
  await using nats = await startNatsServer({ jetStream: false })
  assert.match(await refusal({ NATS_URL: nats.url }), /NATS_URL, .* has no JetStream/)
})

test('a service that stores objects does not start without a place for them', async () => {
  assert.match(await refusal({ OBJECTS_DIR: '' }), /^S3_ENDPOINT is required, or OBJECTS_DIR/)
})
