import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../src/db/migrate.js'
import { createDb, createPool } from '../src/db/pool.js'
import { transact } from '../src/db/transact.js'
import { readEventDepth } from '../src/events/depth.js'
import { eventMigrations } from '../src/events/migrations.js'
import { readJobDepths } from '../src/jobs/depth.js'
import { defineJob } from '../src/jobs/index.js'
import { jobMigrations } from '../src/jobs/migrations.js'
import { createLogger } from '../src/log.js'
import { Lifecycle } from '../src/service/index.js'
import { assertUses, createTestDatabase, plansOf } from '../src/testing/index.js'
import { createQueue } from './queue.js'

const log = createLogger('test', 'silent')

/** A schema with both queues, on the connections of health checks and metrics. */
async function openQueues() {
  const lifecycle = new Lifecycle()
  const database = await createTestDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const of = { url: database.url, schema: 'things', connectionsMax: 2, log }
  const pool = createPool({ ...of, lastingPlans: true })
  lifecycle.onStop(() => pool.end())
  await migrate(pool, 'things', [...jobMigrations, ...eventMigrations])
  const db = createDb<unknown>(pool)
  return { pool, db, [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose]() }
}

const job = (name: string) =>
  defineJob({ name, attemptsMax: 1, timeoutMs: 1000, run: async () => {} })

test('counts due jobs by name with the age of the oldest, without delayed jobs', async () => {
  await using queue = await createQueue()
  const now = Date.now()
  await queue.enqueue(job('import'), {})
  await queue.enqueue(job('import'), {})
  await queue.enqueue(job('import'), {}, { runAt: new Date(now + 3_600_000) })
  await queue.enqueue(job('gone'), {})
  await queue.query(`update job set run_at = now() - interval '90 s' where id = 1`)
  const depths = await readJobDepths(queue.db, ['none', 'import'])
  const [none, imports] = depths.sort((a, b) => (a.name < b.name ? 1 : -1))
  assert.deepEqual(none, { name: 'none', waiting: 0, oldestSeconds: 0, dead: 0 })
  assert.equal(imports?.waiting, 2)
  assert.ok(imports.oldestSeconds >= 90 && imports.oldestSeconds < 150, `${imports.oldestSeconds}`)
  await queue.query(`update job set state = 'dead', ended_on = now() where id = 1`)
  const [after] = await readJobDepths(queue.db, ['import'])
  assert.deepEqual([after?.waiting, after?.dead], [1, 1])
})

test('counts the outbox, and the dead letters of each consumer', async () => {
  await using queues = await openQueues()
  const consumers = ['index', 'mail']
  assert.deepEqual(await readEventDepth(queues.db, consumers), {
    waiting: 0,
    oldestSeconds: 0,
    consumers: consumers.map((consumer) => ({ consumer, dead: 0 })),
  })
  await queues.pool.query(`insert into outbox (published_on, message)
    select now() - make_interval(secs => n), '{}' from generate_series(1, 40) n`)
  await queues.pool.query(`insert into dead_letter (event_id, consumer, message, attempts, error, parked_on)
    select gen_random_uuid(), consumer, '{}', 15, '', now()
      from unnest('{mail,mail,one-of-the-past}'::text[]) consumer`)
  const depth = await readEventDepth(queues.db, consumers)
  assert.equal(depth.waiting, 40)
  assert.ok(depth.oldestSeconds >= 40 && depth.oldestSeconds < 100, `${depth.oldestSeconds}`)
  assert.deepEqual(depth.consumers, [
    { consumer: 'index', dead: 0 },
    { consumer: 'mail', dead: 2 },
  ])
  assert.deepEqual((await readEventDepth(queues.db, [])).consumers, [])
})

test('counts with indexes, at bounded cost for any queue length', async (t) => {
  await using queues = await openQueues()
  const { pool, db } = queues
  const names = ['a', 'b', 'c', 'd']
  await pool.query(`insert into job (name, payload, priority, turn, state, run_at, attempts_max)
    select (array['a', 'b', 'c', 'd'])[1 + n % 4], '{}', 0, n,
           case when n <= 100000 then 'waiting' else 'dead' end, now(), 1
      from generate_series(1, 150000) n`)
  await pool.query(`insert into outbox (message) select '{}' from generate_series(1, 100000)`)
  await pool.query(`insert into dead_letter (event_id, consumer, message, attempts, error, parked_on)
    select gen_random_uuid(), 'mail', '{}', 15, '', now() from generate_series(1, 50000)`)
  const jobs = await readJobDepths(db, names)
  assert.deepEqual(
    jobs.map(({ waiting }) => waiting),
    names.map(() => 10_000),
  )
  assert.equal(
    jobs.reduce((sum, { dead }) => sum + dead, 0),
    10_000,
  )
  const events = await readEventDepth(db, ['mail'])
  assert.deepEqual([events.waiting, events.consumers[0]?.dead], [10_000, 10_000])

  const run = <T>(work: Parameters<typeof transact<unknown, T>>[1]) => transact(db, work)
  const list = `array['a', 'b', 'c', 'd']`
  const ofJobs = await plansOf(run, (tx) => readJobDepths(tx, names), /job_name/, [list])
  assertUses(ofJobs, ['job_waiting_idx', 'job_(dead|ended)_idx'])
  const ofEvents = await plansOf(run, (tx) => readEventDepth(tx, names), /outgoing/, [list])
  assertUses(ofEvents, ['outbox_pkey', 'dead_letter_died_idx'])

  const timed = async (what: string, read: () => Promise<unknown>) => {
    const started = performance.now()
    for (let n = 0; n < 5; n++) await read()
    const ms = (performance.now() - started) / 5
    t.diagnostic(`${what}: ${ms.toFixed(1)} ms`)
    assert.ok(ms < 500, `${ms} ms`)
  }
  await timed('jobs, 100,000 due and 50,000 dead', () => readJobDepths(db, names))
  await timed('events, 100,000 waiting and 50,000 dead', () => readEventDepth(db, ['mail']))
})
