import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '@figbase/kit/testing'
import { startPostgres } from '../src/postgres/embedded.js'
import { runCommand } from './support/command.js'
import { Bench, until } from './support/launched.js'

const bench = new Bench()
after(() => bench[Symbol.asyncDispose]())

const schemas = [
  'tasks',
  'identity',
  'catalog',
  'revisions',
  'comments',
  'search',
  'stories-ai',
  'compute',
  'bus',
]

test('migrates an external database once, without starting Figbase', async () => {
  await using database = await createTestDatabase()
  const dataDir = await bench.dir()
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'fatal', PORT: '0' }
  const migrate = (...args: string[]) => runCommand(dataDir, ['migrate', ...args], env)

  const before = await migrate('--check')
  assert.equal(before.code, 1)
  for (const schema of schemas) assert.match(before.output, new RegExp(`^missing ${schema} 0`, 'm'))
  assert.match(before.output, /the database schema is not up to date$/)
  const own = { ...env, MIGRATE_AT_START: 'false' }
  const refused = await runCommand(dataDir, [], own)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /migration tasks \S+ is pending: run figbase-server migrate/)

  const both = await Promise.all([migrate(), migrate()])
  for (const { code, output } of both) assert.equal(code, 0, output)
  assert.match(both.map(({ output }) => output).join('\n'), /^applied catalog 0/m)
  assert.deepEqual(await migrate('--check'), {
    code: 0,
    output: 'the database schema is up to date',
  })
  assert.deepEqual(await migrate(), { code: 0, output: 'the database schema is up to date' })

  const service = { ...own, FIGBASE_SECRET_KEY: 'x', RPC_PORT: '0', LOG_LEVEL: 'info' }
  const tasks = bench.launch({ dataDir, args: ['serve', 'tasks'], env: service })
  await until(() => tasks.output.includes('"ready"') || tasks.hasEnded(), 'the service')
  assert.equal(await tasks.stop(), 0, tasks.output)
})

test('migrates the built-in PostgreSQL of an existing installation', async () => {
  const dataDir = await bench.dir()
  const none = await runCommand(dataDir, ['migrate'])
  assert.equal(none.code, 1)
  assert.match(none.output, /no Figbase installation found in/)
  await (await startPostgres({ dataDir }))[Symbol.asyncDispose]()
  const { code, output } = await runCommand(dataDir, ['migrate'])
  assert.equal(code, 0, output)
  assert.match(output, /^applied revisions 0/m)
})

test('omits the bus schema with NATS', async () => {
  await using database = await createTestDatabase()
  const env = { DATABASE_URL: database.url, NATS_URL: 'nats://127.0.0.1:1' }
  const { output } = await runCommand(await bench.dir(), ['migrate', '--check'], env)
  assert.match(output, /missing catalog/)
  assert.doesNotMatch(output, /missing bus/)
})
