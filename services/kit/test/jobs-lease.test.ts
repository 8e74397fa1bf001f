import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { defineJob, JobInterrupted } from '../src/jobs/index.js'
import { createSchedules } from '../src/jobs/schedules.js'
import { createQueue, createRecord, isEmpty, until } from './queue.js'

const attemptLimits = { attemptsMax: 3, timeoutMs: 60_000 }

test('takes over the jobs of dead processes only', async () => {
  await using queue = await createQueue()
  const begun = createRecord<string>()
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const job = defineJob<object, { name: string }>({
    name: 'note',
    ...attemptLimits,
    async run(_, { name }) {
      begun.add(name)
      if (name === 'of the living') await finished
    },
  })
  const [silent, gone] = [randomUUID(), randomUUID()]
  await queue.enqueue(job, { name: 'of the silent' })
  await queue.query(`insert into job_worker values ($1, now() - interval '10 s')`, [silent])
  await queue.query(`update job set state = 'running', attempts = 1, worker = $1`, [silent])
  await queue.enqueue(job, { name: 'of the gone' })
  await queue.query(
    `update job set state = 'running', attempts = 1, worker = $1 where state = 'waiting'`,
    [gone],
  )
  await using _one = await queue.start([job], { leaseMs: 5000 })
  await using _two = await queue.start([job], { leaseMs: 5000 })
  await queue.enqueue(job, { name: 'of the living' })
  await begun.waitForCount(3)
  await until(async () => (await queue.query('select from job')).length === 1)
  assert.deepEqual(await queue.query('select state, attempts from job'), [
    { state: 'running', attempts: 1 },
  ])
  finish()
  await until(() => isEmpty(queue))
  assert.deepEqual(begun.items.sort(), ['of the gone', 'of the living', 'of the silent'])
})

test('a job whose worker processes keep dying becomes dead', async () => {
  await using queue = await createQueue()
  const job = defineJob<object, object>({ name: 'deadly', ...attemptLimits, run: async () => {} })
  await queue.enqueue(job, {})
  await queue.query(`update job set state = 'running', attempts = 3, worker = $1`, [randomUUID()])
  await using _runner = await queue.start([job])
  await until(async () => (await queue.query(`select from job where state = 'dead'`)).length === 1)
})

test('a process that lost its lease stops its job and does not complete that of the other', async () => {
  await using queue = await createQueue()
  const begun = createRecord<AbortSignal>()
  const job = defineJob<object, object>({
    name: 'note',
    ...attemptLimits,
    async run(_ctx, _payload, signal) {
      begun.add(signal)
      if (begun.items.length > 1) return
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  await using _runner = await queue.start([job])
  await queue.enqueue(job, {})
  const [signal] = await begun.waitForCount(1)
  const other = randomUUID()
  await queue.query(`insert into job_worker values ($1, now() + interval '1 h')`, [other])
  await queue.query('update job set worker = $1', [other])
  await until(async () => signal?.aborted === true)
  assert.ok(signal?.reason instanceof JobInterrupted)
  const held = await queue.query('select state, worker, attempts from job')
  assert.deepEqual(held, [{ state: 'running', worker: other, attempts: 1 }])
})

test('runs a job whose claim lost its response', async () => {
  await using queue = await createQueue()
  const ran = createRecord<number>()
  const job = defineJob<object, object>({
    name: 'note',
    ...attemptLimits,
    run: async () => ran.add(1),
  })
  await using _runner = await queue.start([job])
  await queue.query(
    `insert into job (name, payload, priority, turn, state, run_at, attempts, attempts_max, worker)
     select 'note', '{}', 0, 0, 'running', now(), 1, 3, id from job_worker`,
  )
  await ran.waitForCount(1)
  await until(() => isEmpty(queue))
})

test('a job interrupted by a shutdown keeps its attempts', async () => {
  await using queue = await createQueue()
  const begun = createRecord<number>()
  const job = defineJob<object, object>({
    name: 'note',
    attemptsMax: 1,
    timeoutMs: 60_000,
    async run(_ctx, _payload, signal) {
      begun.add(1)
      if (begun.items.length > 1) return
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  {
    await using _runner = await queue.start([job])
    await queue.enqueue(job, {})
    await begun.waitForCount(1)
  }
  assert.deepEqual(await queue.query('select state, attempts from job'), [
    { state: 'waiting', attempts: 0 },
  ])
  await using _next = await queue.start([job])
  await until(() => isEmpty(queue))
  assert.equal(begun.items.length, 2)
})

test('enqueues scheduled jobs once, and missed ones once', async () => {
  await using queue = await createQueue()
  const job = defineJob<object, { why: string }>({
    name: 'sweep',
    ...attemptLimits,
    schedule: { cron: '0 3 * * *', payload: { why: 'it is night' } },
    run: async () => {},
  })
  const day = (n: number, time = '03:00:01') => new Date(`2026-11-0${n}T${time}Z`)
  const ask = async (now: Date, askers: ReturnType<typeof createSchedules>[]) => {
    await Promise.all(askers.map((one) => one.enqueueDue(queue.db, now)))
    const rows = await queue.query<{ payload: unknown }>('delete from job returning payload')
    return rows.map((row) => row.payload)
  }
  const payload = { why: 'it is night' }
  const both = [createSchedules([job]), createSchedules([job])]
  assert.deepEqual(await ask(day(1, '12:00:00'), both), [], 'the time before the first start')
  assert.deepEqual(await ask(day(2, '02:59:59'), both), [])
  assert.deepEqual(await ask(day(2), both), [payload])
  assert.deepEqual(await ask(day(2), both), [])
  assert.deepEqual(await ask(day(2), [createSchedules([job])]), [], 'a third that starts later')
  const [one, two] = [createSchedules([job]), createSchedules([job])]
  assert.deepEqual(await ask(day(6), [one, two]), [payload], 'three nights without a process')
})

test('runs a scheduled job once with two processes', async () => {
  await using queue = await createQueue()
  const runs = createRecord<number>()
  const job = defineJob<object, object>({
    name: 'tick',
    ...attemptLimits,
    schedule: { cron: '* * * * * *', payload: {} },
    run: async () => runs.add(Math.floor(Date.now() / 1000)),
  })
  const begin = Math.floor(Date.now() / 1000)
  await using _one = await queue.start([job])
  await using _two = await queue.start([job])
  await runs.waitForCount(3)
  const seconds = Math.floor(Date.now() / 1000) - begin
  assert.ok(runs.items.length <= seconds + 1, `${runs.items.length} runs in ${seconds} s`)
})
