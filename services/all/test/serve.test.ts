import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@figbase/kit/testing'
import { runCommand } from './support/command.js'
import { Bench, until } from './support/launched.js'

const bench = new Bench()
let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(async () => {
  await bench[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const serve = async (name: string, env: NodeJS.ProcessEnv = {}) =>
  bench.launch({ dataDir: await bench.dir(), args: ['serve', name], env })
const gateway = {
  FIGBASE_SECRET_KEY: 'x',
  ...Object.fromEntries(
    [
      'IDENTITY',
      'CATALOG',
      'REVISIONS',
      'COMMENTS',
      'COMPUTE',
      'SEARCH',
      'STORIES_AI',
      'TASKS',
    ].map((name) => [`${name}_URL`, 'http://127.0.0.1:1']),
  ),
}
const settings = () => ({ DATABASE_URL: database.url, FIGBASE_SECRET_KEY: 'x', RPC_PORT: '0' })

test('serves one service in a process until SIGTERM', async () => {
  const tasks = await serve('tasks', settings())
  await until(() => tasks.output.includes('"ready"') || tasks.hasEnded(), 'the service')
  const ready = tasks.output.split('\n').find((line) => line.includes('"ready"')) ?? '{}'
  const { port } = JSON.parse(ready)
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()))
    socket.once('error', reject)
  })
  assert.equal(await tasks.stop(), 0)
})

test('names the setting that is missing or fails, without a stack trace', async () => {
  const cases: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['gateway', {}, /^FIGBASE_SECRET_KEY is required[\s\S]*CATALOG_URL is required/],
    ['gateway', { ...gateway, REDIS_URL: 'redis://127.0.0.1:1' }, /^REDIS_URL: .*ECONNREFUSED/],
    ['tasks', {}, /DATABASE_URL is required[\s\S]*FIGBASE_SECRET_KEY is required/],
    [
      'tasks',
      { ...settings(), DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^DATABASE_URL: database unavailable: .*ECONNREFUSED/,
    ],
    [
      'catalog',
      { ...settings(), NATS_URL: 'nats://127.0.0.1:1' },
      /^NATS_URL: NATS at 127\.0\.0\.1:1 is unavailable/,
    ],
  ]
  for (const [name, env, message] of cases) {
    const launched = await serve(name, env)
    assert.equal(await launched.ended, 1)
    assert.match(launched.output, message)
    assert.doesNotMatch(launched.output, /\n\s+at /)
  }
})

test('all-in-one: startup fails when a server is unavailable, and names it', async () => {
  const cases: [NodeJS.ProcessEnv, RegExp][] = [
    [{ REDIS_URL: 'redis://127.0.0.1:1' }, /REDIS_URL: Redis at 127\.0\.0\.1:1 is unavailable/],
    [{ NATS_URL: 'nats://127.0.0.1:1' }, /NATS_URL: NATS at 127\.0\.0\.1:1 is unavailable/],
  ]
  for (const [env, message] of cases) {
    const quiet = { DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'fatal' }
    const { code, output } = await runCommand(await bench.dir(), [], { ...quiet, ...env })
    assert.equal(code, 1)
    assert.match(output, message)
  }
})

test('rejects an unknown process, and lists the known ones', async () => {
  for (const name of ['', 'figures', 'all all']) {
    const launched = bench.launch({
      dataDir: await bench.dir(),
      args: ['serve', ...name.split(' ').filter(Boolean)],
    })
    assert.equal(await launched.ended, 1)
    assert.match(launched.output, /all, gateway, identity|Unknown word 'all'/)
  }
})
