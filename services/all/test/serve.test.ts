import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@figbase/kit/testing'
import { Bench, until } from './launched.js'

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
const settings = () => ({ DATABASE_URL: database.url, FIGBASE_SECRET_KEY: 'x', RPC_PORT: '0' })

test('one service runs in a process of its own until it is told to stop', async () => {
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

test('what is missing or does not work is named by its setting, without a stack', async () => {
  const cases: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['gateway', {}, /^FIGBASE_SECRET_KEY is required/],
    ['tasks', {}, /DATABASE_URL is required[\s\S]*FIGBASE_SECRET_KEY is required/],
    [
      'tasks',
      { ...settings(), DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^DATABASE_URL: the database cannot be used: .*ECONNREFUSED/,
    ],
    [
      'catalog',
      { ...settings(), NATS_URL: 'nats://127.0.0.1:1' },
      /^the server of NATS_URL, 127\.0\.0\.1:1, cannot be used/,
    ],
  ]
  for (const [name, env, message] of cases) {
    const launched = await serve(name, env)
    assert.equal(await launched.ended, 1)
    assert.match(launched.output, message)
    assert.doesNotMatch(launched.output, /\n\s+at /)
  }
})

test('what is no part of Figbase is refused, with those that are', async () => {
  for (const name of ['', 'figures', 'all all']) {
    const launched = bench.launch({
      dataDir: await bench.dir(),
      args: ['serve', ...name.split(' ').filter(Boolean)],
    })
    assert.equal(await launched.ended, 1)
    assert.match(launched.output, /all, gateway, identity|Unknown word 'all'/)
  }
})
