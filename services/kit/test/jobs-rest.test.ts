import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { defineJob } from '../src/index.js'
import { claimJobs } from '../src/jobs/claims.js'
import { beat } from '../src/jobs/lease.js'
import { enqueueJob } from '../src/jobs/queue.js'
import { createSchedules } from '../src/jobs/schedules.js'
import { createQueue, createRecord, isEmpty, type Queue, until } from './queue.js'
import { forEver, watchRests } from './rests.js'

const attemptLimits = { attemptsMax: 3, timeoutMs: 60_000 }

/** A job that notes its runs, and fails when its name says so, the first time. */
function noting() {
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

/** Until each worker has said so many times more that it lives. */
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

test('a job that is enqueued while the worker rests is started by that', async (t) => {
  const rests = watchRests(t, forEver)
  await using queue = await createQueue()
  const { job, runs } = noting()
  await using _runner = await queue.start([job])
  await rests.reach(1)
  await queue.enqueue(job, { name: 'at once' })
  await runs.reach(1)
  await until(() => isEmpty(queue))
})

test('a worker that is alone rests longer each time; one that has peers does not rest', async (t) => {
  const rests = watchRests(t, () => 0)
  await using queue = await createQueue()
  const { job } = noting()
  await using _one = await queue.start([job])
  await rests.reach(3)
  assert.deepEqual(rests.items.slice(0, 3), [1000, 2000, 4000])
  let count = 0
  {
    await using _other = await queue.start([job])
    // By then each has seen the other.
    await beats(queue, 1)
    count = rests.items.length
    await beats(queue, 2)
    assert.equal(rests.items.length, count)
  }
  await rests.reach(count + 1)
})

test('no rest is longer than until the next job is due that waits for its time', async (t) => {
  const rests = watchRests(t, () => 0)
  await using queue = await createQueue()
  const { job, runs } = noting()
  await using _runner = await queue.start([job])
  await rests.reach(2)
  // As another process does: nothing here is woken by it.
  const dueMs = 2500
  await queue.transact((tx) =>
    enqueueJob(tx, job, { name: 'later' }, { runAt: new Date(Date.now() + dueMs) }),
  )
  const before = rests.items.length
  await runs.reach(1)
  // The first one may have begun before the worker saw the job.
  for (const ms of rests.items.slice(before + 1)) assert.ok(ms <= dueMs, `a rest of ${ms} ms`)
})

test('nor is it longer than until the next time of a schedule', () => {
  const { job } = noting()
  const schedule = { cron: '* * * * * *', payload: { name: 'each second' } }
  assert.equal(createSchedules([job]).nextInMs(), Infinity)
  const ms = createSchedules([job, { ...job, schedule }]).nextInMs()
  assert.ok(ms >= 0 && ms <= 1000, `${ms} ms`)
})

test('a job that failed is tried again, though its worker would rest', async (t) => {
  const rests = watchRests(t, (ms) => (ms >= 1000 ? forEver() : ms))
  await using queue = await createQueue()
  const { job, runs } = noting()
  await using _runner = await queue.start([job])
  await rests.reach(1)
  await queue.enqueue(job, { name: 'broken' })
  await runs.reach(2)
  assert.deepEqual(runs.items, ['broken', 'broken'])
})

test('a worker that rested for longer than a lease is alive again when it claims a job', async () => {
  await using queue = await createQueue()
  const { job } = noting()
  await queue.enqueue(job, { name: 'claimed' })
  const [rested, other] = [randomUUID(), randomUUID()]
  await queue.query(`insert into job_worker values ($1, now() - interval '10 s')`, [rested])
  const times = { leaseMs: 5000, deadRetentionMs: 60_000 }
  const claimed = await claimJobs(queue.db, rested, 1, [job])
  assert.deepEqual(
    claimed.map(({ payload }) => payload),
    [{ name: 'claimed' }],
  )
  const { someoneDied, isAlone } = await beat(queue.db, other, times)
  assert.deepEqual({ someoneDied, isAlone }, { someoneDied: false, isAlone: false })
  // So also one that others have taken for dead, whose row is gone.
  await queue.query('delete from job_worker where id = $1', [rested])
  await queue.enqueue(job, { name: 'next' })
  assert.equal((await claimJobs(queue.db, rested, 1, [job])).length, 1)
  assert.equal((await beat(queue.db, other, times)).someoneDied, false)
})

test('who is alone, and when the next job is due, is told by a beat', async () => {
  await using queue = await createQueue()
  const { job } = noting()
  const [one, other] = [randomUUID(), randomUUID()]
  const times = { leaseMs: 5000, deadRetentionMs: 60_000 }
  const told = async () => {
    const { isAlone, dueInMs } = await beat(queue.db, one, times)
    return { isAlone, dueInMs }
  }
  assert.deepEqual(await told(), { isAlone: true, dueInMs: undefined })
  await queue.query(`insert into job_worker values ($1, now() - interval '1 h')`, [other])
  assert.equal((await told()).isAlone, true, 'the other one is silent for longer than a lease')
  await queue.query(`update job_worker set seen_on = now() + interval '1 h' where id = $1`, [other])
  assert.equal((await told()).isAlone, false)
  const hourMs = 3_600_000
  for (const hours of [2, 1]) {
    await queue.enqueue(job, { name: 'later' }, { runAt: new Date(Date.now() + hours * hourMs) })
  }
  const { dueInMs = 0 } = await told()
  assert.ok(dueInMs > 0.9 * hourMs && dueInMs <= 1.1 * hourMs, `${dueInMs} ms`)
})
