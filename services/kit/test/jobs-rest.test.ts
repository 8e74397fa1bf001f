import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { claimJobs } from '../src/jobs/claims.js'
import { defineJob } from '../src/jobs/index.js'
import { heartbeat } from '../src/jobs/lease.js'
import { enqueueJob } from '../src/jobs/queue.js'
import { createSchedules } from '../src/jobs/schedules.js'
import { createQueue, createRecord, isEmpty, type Queue, until } from './queue.js'
import { forEver, watchRests } from './rests.js'

const attemptLimits = { attemptsMax: 3, timeoutMs: 60_000 }

/** A job that records its runs; one with a failing name fails the first time. */
function recording() {
  const runs = createRecord<string>()
  const job = defineJob<object, { name: string }>({
    name: 'note',
    ...attemptLimits,
    async run(_, { name }) {
      runs.add(name)
      if (name === 'broken' && runs.items.length === 1) throw new Error('not yet')
    },
  })
  return { job, runs }
}

/** Waits for this number of further heartbeats of each worker. */
async function beats(queue: Queue, count: number) {
  const seen = new Map<string, Set<string>>()
  await until(async () => {
    const rows = await queue.query<{ id: string; at: string }>(
      'select id::text, seen_on::text as at from job_worker',
    )
    for (const { id, at } of rows) seen.set(id, (seen.get(id) ?? new Set()).add(at))
    return [...seen.values()].every((times) => times.size > count)
  })
}

test('a wake signal starts a job while the worker is idle', async (t) => {
  const rests = watchRests(t, forEver)
  await using queue = await createQueue()
  const { job, runs } = recording()
  await using _runner = await queue.start([job])
  await rests.waitForCount(1)
  await queue.enqueue(job, { name: 'at once' })
  await runs.waitForCount(1)
  await until(() => isEmpty(queue))
})

test('an idle worker polls less and less often only without peers', async (t) => {
  const rests = watchRests(t, () => 0)
  await using queue = await createQueue()
  const { job } = recording()
  await using _one = await queue.start([job])
  await rests.waitForCount(3)
  assert.deepEqual(rests.items.slice(0, 3), [1000, 2000, 4000])
  let count = 0
  {
    await using _other = await queue.start([job])
    // By then each knows the other.
    await beats(queue, 1)
    count = rests.items.length
    await beats(queue, 2)
    assert.equal(rests.items.length, count)
  }
  await rests.waitForCount(count + 1)
})

test('an idle worker polls when the next delayed job is due', async (t) => {
  const rests = watchRests(t, () => 0)
  await using queue = await createQueue()
  const { job, runs } = recording()
  await using _runner = await queue.start([job])
  await rests.waitForCount(2)
  // Like another process: no wake signal here.
  const dueMs = 2500
  await queue.transact((tx) =>
    enqueueJob(tx, job, { name: 'later' }, { runAt: new Date(Date.now() + dueMs) }),
  )
  const before = rests.items.length
  await runs.waitForCount(1)
  // The first wait may have begun before the worker saw the job.
  for (const ms of rests.items.slice(before + 1)) assert.ok(ms <= dueMs, `interval of ${ms} ms`)
})

test('an idle worker polls when the next schedule is due', () => {
  const { job } = recording()
  const schedule = { cron: '* * * * * *', payload: { name: 'each second' } }
  assert.equal(createSchedules([job]).nextInMs(), Infinity)
  const ms = createSchedules([job, { ...job, schedule }]).nextInMs()
  assert.ok(ms >= 0 && ms <= 1000, `${ms} ms`)
})

test('retries a failed job although its worker would be idle', async (t) => {
  const rests = watchRests(t, (ms) => (ms >= 1000 ? forEver() : ms))
  await using queue = await createQueue()
  const { job, runs } = recording()
  await using _runner = await queue.start([job])
  await rests.waitForCount(1)
  await queue.enqueue(job, { name: 'broken' })
  await runs.waitForCount(2)
  assert.deepEqual(runs.items, ['broken', 'broken'])
})

test('a claim renews the lease of a worker that was idle for longer than a lease', async () => {
  await using queue = await createQueue()
  const { job } = recording()
  await queue.enqueue(job, { name: 'claimed' })
  const [rested, other] = [randomUUID(), randomUUID()]
  await queue.query(`insert into job_worker values ($1, now() - interval '10 s')`, [rested])
  const times = { leaseMs: 5000, deadRetentionMs: 60_000 }
  const claimer = { worker: rested, leaseMs: times.leaseMs, jobs: [job] }
  const claimed = await claimJobs(queue.db, claimer, 1)
  assert.deepEqual(
    claimed.map(({ payload }) => payload),
    [{ name: 'claimed' }],
  )
  const { hasDeadWorkers, isAlone } = await heartbeat(queue.db, other, times)
  assert.deepEqual({ hasDeadWorkers, isAlone }, { hasDeadWorkers: false, isAlone: false })
  // Also if others considered it dead and deleted its row.
  await queue.query('delete from job_worker where id = $1', [rested])
  await queue.enqueue(job, { name: 'next' })
  assert.equal((await claimJobs(queue.db, claimer, 1)).length, 1)
  assert.equal((await heartbeat(queue.db, other, times)).hasDeadWorkers, false)
})

test('a heartbeat returns whether the worker is alone, and when the next job is due', async () => {
  await using queue = await createQueue()
  const { job } = recording()
  const [one, other] = [randomUUID(), randomUUID()]
  const times = { leaseMs: 5000, deadRetentionMs: 60_000 }
  const reported = async () => {
    const { isAlone, dueInMs } = await heartbeat(queue.db, one, times)
    return { isAlone, dueInMs }
  }
  assert.deepEqual(await reported(), { isAlone: true, dueInMs: undefined })
  await queue.query(`insert into job_worker values ($1, now() - interval '1 h')`, [other])
  assert.equal((await reported()).isAlone, true, 'the lease of the other worker has expired')
  await queue.query(`update job_worker set seen_on = now() + interval '1 h' where id = $1`, [other])
  assert.equal((await reported()).isAlone, false)
  const hourMs = 3_600_000
  for (const hours of [2, 1]) {
    await queue.enqueue(job, { name: 'later' }, { runAt: new Date(Date.now() + hours * hourMs) })
  }
  const { dueInMs = 0 } = await reported()
  assert.ok(dueInMs > 0.9 * hourMs && dueInMs <= 1.1 * hourMs, `${dueInMs} ms`)
})
