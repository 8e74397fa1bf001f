import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../src/config/index.js'
import { createFileSystemStore } from '../src/objects/index.js'
import { compose, defineService, startServing } from '../src/service/index.js'

const service = (name: string) =>
  defineService({
    name,
    config: (env) => ({ count: env.int(`${name.toUpperCase()}_COUNT`, 1, 'a count') }),
    migrations: [],
    context: (kit) => kit,
    routes: () => () => {},
  })

const bad = { A_COUNT: 'x', B_COUNT: 'y', RPC_PORT: 'z', JOB_CONCURRENCY: 'many', SMTP_URL: 'x' }

test('a process reports all invalid settings of all services before it starts', async () => {
  const options = { env: bad, objects: createFileSystemStore(''), isolate: true }
  await assert.rejects(compose([service('a'), service('b')], options), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(
      error.message,
      /A_COUNT.*B_COUNT.*DATABASE_URL.*FIGBASE_SECRET_KEY.*JOB.*SMTP_URL/s,
    )
    return true
  })
})

test('a served service reports its own settings with those of its process', async () => {
  await assert.rejects(startServing(service('a'), bad), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /RPC_PORT.*DATABASE_URL.*JOB_CONCURRENCY.*SMTP_URL.*A_COUNT/s)
    return true
  })
})
