import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EnumValueSchema } from '@bufbuild/protobuf/wkt'
import { CatalogService } from '@figbase/proto/catalog'
import pg from 'pg'
import { ConfigError } from '../src/config/index.js'
import { defineConsumer, defineEvent, on } from '../src/events/index.js'
import { defineJob } from '../src/jobs/index.js'
import { openOperations } from '../src/operations/index.js'
import { defineService, Lifecycle, type Service, startServing } from '../src/service/index.js'
import { createTestDatabase, parseExposition, sampleValue } from '../src/testing/index.js'

const happened = defineEvent({
  name: 'catalog.thing.happened.v1',
  schema: EnumValueSchema,
  key: ({ name }) => name,
})

const service: Service = defineService({
  name: 'catalog',
  config: () => ({}),
  migrations: [],
  context: (kit) => kit,
  routes: () => (router) => router.service(CatalogService, { listNodes: () => ({}) }),
  jobs: [defineJob({ name: 'import', attemptsMax: 1, timeoutMs: 1000, run: async () => {} })],
  publishes: [happened],
  consumers: [defineConsumer({ name: 'note', handlers: [on(happened, async () => {})] })],
})

/** A process of one service with an operations endpoint, which `get` requests. */
async function startProcess(env: Record<string, string> = {}) {
  const lifecycle = new Lifecycle()
  const database = await createTestDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const dir = await mkdtemp(join(tmpdir(), 'figbase-operations-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  const served = await startServing(service, {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    LOG_LEVEL: 'silent',
    OBJECTS_DIR: dir,
    OPERATIONS_PORT: '0',
    ...env,
  })
  lifecycle.onStop(() => served[Symbol.asyncDispose]())
  const get = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${served.operationsPort}${path}`, init)
  return {
    served,
    database,
    get,
    scrape: async () => parseExposition(await (await get('/metrics')).text()),
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

const waitingJobs = { service: 'catalog', name: 'import' }

test('serves only /metrics, /livez and /readyz', async () => {
  await using at = await startProcess()
  const metrics = await at.get('/metrics')
  assert.equal(metrics.status, 200)
  assert.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const families = parseExposition(await metrics.text())
  assert.equal(sampleValue(families, 'figbase_jobs_waiting', waitingJobs), 0)
  assert.equal(sampleValue(families, 'figbase_jobs_dead', waitingJobs), 0)
  assert.equal(sampleValue(families, 'figbase_outbox_waiting', { service: 'catalog' }), 0)
  const consumer = { service: 'catalog', consumer: 'note' }
  assert.equal(sampleValue(families, 'figbase_events_dead', consumer), 0)
  const pool = { service: 'catalog', pool: 'requests' }
  assert.equal(sampleValue(families, 'figbase_db_pool_connections_max', pool), 10)
  assert.equal(sampleValue(families, 'figbase_db_pool_waiting', pool), 0)
  assert.ok((sampleValue(families, 'process_resident_memory_bytes') ?? 0) > 1e6)
  assert.ok(families.get('figbase_event_loop_delay_seconds')?.samples.length)

  assert.deepEqual(await (await at.get('/livez')).json(), { status: 'alive' })
  const ready = await at.get('/readyz?verbose')
  assert.deepEqual(
    [ready.status, await ready.json()],
    [200, { status: 'ready', not_ready: [], degraded: [] }],
  )
  for (const path of ['/', '/metrics/x', '//livez', '/livez%00', '/METRICS']) {
    assert.equal((await at.get(path)).status, 404, path)
  }
  assert.equal((await at.get('/metrics', { method: 'POST' })).status, 405)
  const head = await at.get('/metrics', { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('reports waiting and dead jobs and events', async () => {
  await using at = await startProcess()
  await using db = await connect(at.database.url)
  await db.query(`insert into catalog.job (name, payload, priority, turn, state, run_at, attempts_max)
    values ('import', '{}', 0, 0, 'dead', now(), 1)`)
  await db.query(`insert into catalog.dead_letter (event_id, consumer, message, attempts, error, parked_on)
    values (gen_random_uuid(), 'note', '{}', 1, '', now())`)
  const families = await at.scrape()
  assert.equal(sampleValue(families, 'figbase_jobs_dead', waitingJobs), 1)
  assert.equal(sampleValue(families, 'figbase_events_dead', { consumer: 'note' }), 1)
})

test('names an unavailable database and still reports the rest', async () => {
  await using at = await startProcess()
  assert.equal(sampleValue(await at.scrape(), 'figbase_jobs_waiting', waitingJobs), 0)
  await at.database[Symbol.asyncDispose]()
  const end = performance.now() + 10_000
  let ready: Response
  do ready = await at.get('/readyz')
  while (ready.status === 200 && performance.now() < end)
  assert.equal(ready.status, 503)
  assert.deepEqual(await ready.json(), {
    status: 'not ready',
    not_ready: [{ name: 'catalog database', why: 'does not answer' }],
    degraded: [],
  })
  assert.equal((await at.get('/livez')).status, 200)
  const families = await at.scrape()
  assert.equal(sampleValue(families, 'figbase_jobs_waiting', waitingJobs), undefined)
  assert.equal(sampleValue(families, 'figbase_outbox_waiting', { service: 'catalog' }), undefined)
  assert.equal(sampleValue(families, 'figbase_db_pool_waiting', { pool: 'requests' }), 0)
  assert.ok(sampleValue(families, 'process_cpu_seconds_total'))
})

test('a scrape of a slow table times out, runs once, and does not delay health checks', async () => {
  await using at = await startProcess({ OPERATIONS_TIMEOUT: '200ms' })
  await using blocker = await connect(at.database.url)
  await using watcher = await connect(at.database.url)
  await blocker.query('begin; lock table catalog.job in access exclusive mode')
  const started = performance.now()
  for (let n = 0; n < 3; n++) {
    const families = await at.scrape()
    assert.equal(sampleValue(families, 'figbase_jobs_waiting', waitingJobs), undefined)
    assert.equal(sampleValue(families, 'figbase_outbox_waiting', { service: 'catalog' }), 0)
    const { rows } = await watcher.query(`select count(*)::int as count from pg_stat_activity
      where query like '%job_name%' and state = 'active' and pid <> pg_backend_pid()`)
    assert.ok(rows[0]?.count <= 1, `${rows[0]?.count} are stuck`)
  }
  const ms = performance.now() - started
  assert.ok(ms < 2500, `${ms} ms`)
  assert.equal((await at.get('/readyz')).status, 200)
  await blocker.query('rollback')
  const end = performance.now() + 10_000
  let waiting: number | undefined
  do waiting = sampleValue(await at.scrape(), 'figbase_jobs_waiting', waitingJobs)
  while (waiting === undefined && performance.now() < end)
  assert.equal(waiting, 0)
})

test('concurrent scrapes share one reading', async () => {
  await using at = await startProcess()
  await using blocker = await connect(at.database.url)
  await blocker.query('begin; lock table catalog.job in access exclusive mode')
  const both = Promise.all([at.get('/metrics'), at.get('/metrics')])
  const other = at.get('/livez')
  assert.equal((await other).status, 200)
  await blocker.query('rollback')
  const [first = '', second = ''] = await Promise.all((await both).map((each) => each.text()))
  assert.equal(first, second)
  assert.equal(sampleValue(parseExposition(first), 'figbase_jobs_waiting', waitingJobs), 0)
})

test('reports startup and shutdown, and names a port in use', async () => {
  const settings = { host: '127.0.0.1', port: 0, timeoutMs: 300 }
  assert.equal(await openOperations({ ...settings, port: undefined }), undefined)
  const operations = await openOperations(settings)
  assert.ok(operations)
  const { readiness, port } = operations
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json()
  const missing = (name: string, why: string) => ({
    status: 'not ready',
    not_ready: [{ name, why }],
    degraded: [],
  })
  assert.deepEqual(await ready(), missing('start', 'is under way'))
  readiness.needs('well', async () => true)
  readiness.uses('spare', async () => true)
  readiness.started()
  assert.deepEqual(await ready(), { status: 'ready', not_ready: [], degraded: [] })
  // Another check of the same server, and one of an optional server.
  readiness.uses('spare', async () => false)
  const degraded = [{ name: 'spare', why: 'does not answer' }]
  const available = async (name: string, required: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const labels = { name, required }
    return sampleValue(parseExposition(text), 'figbase_dependency_available', labels)
  }
  assert.equal(await available('well', 'true'), 1)
  assert.equal(await available('spare', 'false'), 0)
  assert.deepEqual(await ready(), { status: 'ready', not_ready: [], degraded })
  let asked = 0
  readiness.needs('stuck', () => {
    asked++
    return new Promise(() => {})
  })
  const stuck = { ...missing('stuck', 'does not answer'), degraded }
  assert.deepEqual(await Promise.all([ready(), ready()]), [stuck, stuck])
  assert.deepEqual(await ready(), stuck)
  assert.equal(asked, 1)
  await assert.rejects(openOperations({ ...settings, port }), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /^OPERATIONS_PORT: .*EADDRINUSE/)
    return true
  })
  readiness.stopping()
  assert.deepEqual(await ready(), missing('stop', 'is under way'))
  await operations[Symbol.asyncDispose]()
  await assert.rejects(ready())
})

test('opens no port without OPERATIONS_PORT, and names an invalid one', async () => {
  await using at = await startProcess({ OPERATIONS_PORT: '' })
  assert.equal(at.served.operationsPort, undefined)
  await assert.rejects(startProcess({ OPERATIONS_PORT: 'x', OPERATIONS_TIMEOUT: '1' }), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /OPERATIONS_PORT.*OPERATIONS_TIMEOUT/s)
    return true
  })
})

test('startup fails first if the port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await assert.rejects(startProcess({ OPERATIONS_PORT: String(port) }), /OPERATIONS_PORT/)
  other.close()
})

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
