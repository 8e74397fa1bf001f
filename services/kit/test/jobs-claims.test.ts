import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Claimed, claimJobs, completeAndClaim, completeJob } from '../src/jobs/claims.js'
import { type AnyJob, defineJob } from '../src/jobs/index.js'
import { heartbeat, reclaimJobs } from '../src/jobs/lease.js'
import { createQueue, type Queue } from './queue.js'

const leaseMs = 5000
const times = { leaseMs, deadRetentionMs: 60_000 }

const noted = (concurrencyMax?: number) =>
  defineJob<object, string>({
    name: 'note',
    attemptsMax: 3,
    timeoutMs: 60_000,
    ...(concurrencyMax && { concurrencyMax }),
    run: async () => {},
  })

const claimerOf = (...jobs: AnyJob<object>[]) => ({ worker: randomUUID(), leaseMs, jobs })

const payloads = (rows: Claimed[]) => rows.map(({ payload }) => payload)

const first = (rows: Claimed[]) => rows[0] ?? assert.fail('no job was claimed')

const held = ({ query }: Queue) =>
  query('select payload, state, worker, attempts, again from job order by id')

test('completes a job and claims the next ones with one statement, up to the slots', async () => {
  await using queue = await createQueue()
  const job = noted()
  for (const name of ['a', 'b', 'c', 'd']) await queue.enqueue(job, name)
  const claimer = claimerOf(job)
  const a = first(await claimJobs(queue.db, claimer, 1))
  const next = await completeAndClaim(queue.db, claimer, a, 2)
  assert.deepEqual(payloads(next), ['b', 'c'])
  const { worker } = claimer
  assert.deepEqual(await held(queue), [
    { payload: 'b', state: 'running', worker, attempts: 1, again: false },
    { payload: 'c', state: 'running', worker, attempts: 1, again: false },
    { payload: 'd', state: 'waiting', worker: null, attempts: 0, again: false },
  ])
  assert.deepEqual(payloads(await completeAndClaim(queue.db, claimer, first(next), 0)), [])
  assert.equal((await held(queue)).length, 2)
})

test('claims a job that was enqueued again with the statement that completes its first run', async () => {
  await using queue = await createQueue()
  const job = noted()
  const claimer = claimerOf(job)
  await queue.enqueue(job, 'a', { key: 'a' })
  const a = first(await claimJobs(queue.db, claimer, 1))
  await queue.enqueue(job, 'a, again', { key: 'a' })
  const again = await completeAndClaim(queue.db, claimer, a, 1)
  assert.deepEqual(payloads(again), ['a, again'])
  const row = { payload: 'a, again', state: 'running', attempts: 1, again: false }
  assert.deepEqual(await held(queue), [{ ...row, worker: claimer.worker }])
  // Like a lost response: completing the first run again must not complete the second.
  assert.deepEqual(await completeAndClaim(queue.db, claimer, a, 1), [])
  assert.equal(await completeJob(queue.db, claimer.worker, a), false)
  assert.deepEqual(await held(queue), [{ ...row, worker: claimer.worker }])
  await queue.enqueue(job, 'a, once more', { key: 'a' })
  assert.equal(await completeJob(queue.db, claimer.worker, first(again)), true)
  assert.deepEqual(await held(queue), [
    { payload: 'a, once more', state: 'waiting', worker: null, attempts: 0, again: false },
  ])
})

test('does not lose a job that is enqueued while its run is completed', async () => {
  await using queue = await createQueue()
  const job = noted()
  const claimer = claimerOf(job)
  await queue.enqueue(job, 'a', { key: 'a' })
  const a = first(await claimJobs(queue.db, claimer, 1))
  let ending: Promise<Claimed[]> | undefined
  await queue.transact(async (tx) => {
    await queue.enqueueIn(tx, job, 'a, again', { key: 'a' })
    ending = completeAndClaim(queue.db, claimer, a, 1)
    // Other claims proceed while it waits for this transaction.
    await queue.enqueue(job, 'b')
    assert.deepEqual(payloads(await claimJobs(queue.db, claimerOf(job), 1)), ['b'])
  })
  assert.deepEqual(payloads((await ending) ?? []), ['a, again'])
})

test('does not complete a job that another worker took over, but still claims', async () => {
  await using queue = await createQueue()
  const job = noted()
  const [one, other] = [claimerOf(job), claimerOf(job)]
  await queue.enqueue(job, 'a')
  const a = first(await claimJobs(queue.db, one, 1))
  await queue.query('update job set worker = $1', [other.worker])
  await queue.enqueue(job, 'b')
  assert.deepEqual(payloads(await completeAndClaim(queue.db, one, a, 1)), ['b'])
  const row = { state: 'running', attempts: 1, again: false }
  assert.deepEqual(await held(queue), [
    { ...row, payload: 'a', worker: other.worker },
    { ...row, payload: 'b', worker: one.worker },
  ])
})

test('refills the slot of a concurrency limit with the same statement', async () => {
  await using queue = await createQueue()
  const job = noted(1)
  for (const name of ['a', 'b', 'c']) await queue.enqueue(job, name)
  const [one, other] = [claimerOf(job), claimerOf(job)]
  const a = first(await claimJobs(queue.db, one, 4))
  assert.deepEqual(await claimJobs(queue.db, other, 4), [])
  const next = await completeAndClaim(queue.db, one, a, 4)
  assert.deepEqual(payloads(next), ['b'])
  assert.deepEqual(await claimJobs(queue.db, other, 4), [])
})

test('completes a job durably although claims are not durable', async () => {
  await using queue = await createQueue()
  const job = noted()
  const claimer = claimerOf(job)
  await queue.enqueue(job, 'a')
  await queue.enqueue(job, 'b')
  const a = first(await claimJobs(queue.db, claimer, 1))
  await queue.transact(async (tx) => {
    const durable = async () =>
      (await sql<{ on: string }>`select current_setting('synchronous_commit') as on`.execute(tx))
        .rows[0]?.on
    await sql`set local synchronous_commit = remote_write`.execute(tx)
    await completeAndClaim(tx, claimer, a, 1)
    assert.equal(await durable(), 'remote_write')
    await claimJobs(tx, claimer, 1)
    assert.equal(await durable(), 'off')
  })
})

test('a claim renews the lease only without a recent heartbeat', async () => {
  await using queue = await createQueue()
  const job = noted()
  const claimer = claimerOf(job)
  const seenAgo = async (ago: string) => {
    await queue.query(`update job_worker set seen_on = now() - $1::interval where id = $2`, [
      ago,
      claimer.worker,
    ])
    const before = await seenOn()
    await queue.enqueue(job, ago)
    const [row] = await claimJobs(queue.db, claimer, 1)
    assert.ok(row)
    return { isWritten: (await seenOn()) !== before }
  }
  const seenOn = async () =>
    (await queue.query<{ at: string }>('select seen_on::text as at from job_worker'))[0]?.at
  await heartbeat(queue.db, claimer.worker, times)
  assert.deepEqual(await seenAgo('0.5 s'), { isWritten: false })
  assert.deepEqual(await seenAgo('1.5 s'), { isWritten: true })
})

test('a worker that was idle for longer than a lease and then claims keeps its job', async () => {
  await using queue = await createQueue()
  const job = noted()
  const [rested, other] = [claimerOf(job), claimerOf(job)]
  for (const name of ['a', 'b']) await queue.enqueue(job, name)
  const rest = () =>
    queue.query(`update job_worker set seen_on = now() - interval '10 s' where id = $1`, [
      rested.worker,
    ])
  const claims = [
    () => claimJobs(queue.db, rested, 1),
    (a?: Claimed) => completeAndClaim(queue.db, rested, a ?? assert.fail(), 1),
  ]
  await heartbeat(queue.db, rested.worker, times)
  let last: Claimed | undefined
  for (const claim of claims) {
    await rest()
    last = first(await claim(last))
    assert.equal((await heartbeat(queue.db, other.worker, times)).hasDeadWorkers, false)
    assert.equal(await reclaimJobs(queue.db, leaseMs), 0)
    const [row, ...more] = await queue.query<{ worker: string }>(
      `select worker from job where state = 'running'`,
    )
    assert.deepEqual([row?.worker, more.length], [rested.worker, 0])
  }
})

test('plans made for empty tables use indexes when the tables are large', async () => {
  await using queue = await createQueue()
  const job = noted()
  const claimer = claimerOf(job)
  await queue.transact(async (tx) => {
    const scans = async () => {
      const { rows } = await sql<{ whole: bigint; byIndex: bigint }>`
        select seq_scan as whole, idx_scan as "byIndex" from pg_stat_xact_user_tables
         where relname in ('job', 'job_worker') order by relname`.execute(tx)
      return rows
    }
    // Like the connections of a queue.
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    const none = { id: 0n, created_on: '2026-11-23T00:00:00Z' }
    await completeAndClaim(tx, claimer, none, 1)
    await sql`insert into job (name, payload, priority, turn, state, run_at, attempts_max)
      select case when n % 10000 = 0 then 'note' else 'other' end, '{}', 0, n, 'waiting', now(), 1
        from generate_series(1, 20000) n`.execute(tx)
    await sql`insert into job_worker select gen_random_uuid(), now() from generate_series(1, 2000)`.execute(
      tx,
    )
    const a = first(await completeAndClaim(tx, claimer, none, 1))
    const before = await scans()
    assert.equal((await completeAndClaim(tx, claimer, a, 1)).length, 1)
    const after = await scans()
    assert.deepEqual(
      after.map(({ whole }, i) => whole - (before[i]?.whole ?? 0n)),
      [0n, 0n],
    )
    for (const [i, { byIndex }] of after.entries()) assert.ok(byIndex > (before[i]?.byIndex ?? 0n))
  })
})
