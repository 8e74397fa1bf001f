import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import {
  defineJob,
  deleteDeadJobs,
  JobCanceled,
  JobTimedOut,
  listDeadJobs,
  replayDeadJobs,
} from '../src/jobs/index.js'
import { createQueue, createRecord, isEmpty, until } from './queue.js'

/** Runs until its signal fires and records how it ended. */
function endlessJob(timeoutMs: number) {
  const begun = createRecord<number | undefined>()
  const ended = createRecord<{ reason: unknown; killedBy: unknown; at: number }>()
  const job = defineJob<object, object>({
    name: 'endless',
    attemptsMax: 1,
    timeoutMs,
    async run(_ctx, _payload, signal) {
      const child = spawn('sleep', ['60'])
      signal.addEventListener('abort', () => child.kill())
      begun.add(child.pid)
      const [, killedBy] = await once(child, 'exit')
      ended.add({ reason: signal.reason, killedBy, at: performance.now() })
      signal.throwIfAborted()
    },
  })
  return { job, begun, ended }
}

test('times out an attempt and the process that it started', async () => {
  await using queue = await createQueue()
  const { job, ended } = endlessJob(300)
  await using _runner = await queue.start([job])
  await queue.enqueue(job, {})
  const [end] = await ended.waitForCount(1)
  assert.ok(end?.reason instanceof JobTimedOut)
  assert.equal(end.killedBy, 'SIGTERM')
  await until(async () => (await listDeadJobs(queue.db, 10)).length === 1)
  const [dead] = await listDeadJobs(queue.db, 10)
  assert.equal(dead?.error, 'job endless timed out after 300 ms')
})

test('aborts a request in progress with the attempt', async () => {
  await using queue = await createQueue()
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = new Promise<void>((resolve) => {
    server.on('request', (req) => req.on('close', resolve))
  })
  const job = defineJob<object, object>({
    name: 'fetch',
    attemptsMax: 1,
    timeoutMs: 300,
    run: async (_ctx, _payload, signal) => {
      await fetch(`http://127.0.0.1:${port}/`, { signal })
    },
  })
  await using _runner = await queue.start([job])
  await queue.enqueue(job, {})
  await closed
  server.close()
})

test('stops a canceled job within a second without a retry', async () => {
  await using queue = await createQueue()
  const { job, begun, ended } = endlessJob(60_000)
  await using _runner = await queue.start([job])
  await queue.enqueue(job, {}, { key: 'a' })
  const [pid] = await begun.waitForCount(1)
  const at = performance.now()
  assert.equal(await queue.cancel(job, 'a'), true)
  const [end] = await ended.waitForCount(1)
  assert.ok(end && end.at - at < 1000, `it took ${(end?.at ?? 0) - at} ms`)
  assert.ok(end.reason instanceof JobCanceled)
  assert.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' })
  await until(() => isEmpty(queue))
  assert.equal(begun.items.length, 1)
})

test('does not retry a job that fails after it was canceled', async () => {
  await using queue = await createQueue()
  const begun = createRecord<number>()
  let fail: (error: Error) => void = () => {}
  const job = defineJob<object, object>({
    name: 'failing',
    attemptsMax: 5,
    timeoutMs: 10_000,
    run: () =>
      new Promise<void>((_, reject) => {
        fail = reject
        begun.add(1)
      }),
  })
  await using _runner = await queue.start([job])
  await queue.enqueue(job, {}, { key: 'a' })
  await begun.waitForCount(1)
  await queue.cancel(job, 'a')
  fail(new Error('it is broken'))
  await until(() => isEmpty(queue))
  assert.equal(begun.items.length, 1)
})

test('never runs a canceled waiting job, and reports an unknown one', async () => {
  await using queue = await createQueue()
  const { job, begun } = endlessJob(60_000)
  await queue.enqueue(job, {}, { key: 'a' })
  await queue.enqueue(job, {}, { key: 'b', runAt: new Date(Date.now() + 60_000) })
  await assert.rejects(
    queue.transact(async () => {
      await queue.cancel(job, 'none')
      throw new Error('rolled back')
    }),
  )
  assert.equal(await queue.cancel(job, 'a'), true)
  assert.equal(await queue.cancel(job, 'b'), true)
  assert.equal(await queue.cancel(job, 'a'), false)
  assert.equal(await isEmpty(queue), true)
  await using _runner = await queue.start([job])
  assert.deepEqual(begun.items, [])
})

test('retries with backoff until the job is dead', async () => {
  await using queue = await createQueue()
  const attempts = createRecord<number>()
  const job = defineJob<object, { n: number }>({
    name: 'broken',
    attemptsMax: 3,
    timeoutMs: 10_000,
    async run() {
      attempts.add(performance.now())
      throw new Error('it is broken')
    },
  })
  await using _runner = await queue.start([job])
  await queue.enqueue(job, { n: 1 })
  const [first = 0, second = 0, third = 0] = await attempts.waitForCount(3)
  assert.ok(second - first >= 500, `${second - first} ms`)
  assert.ok(third - second >= 1000, `${third - second} ms`)
  await until(async () => (await listDeadJobs(queue.db, 10)).length === 1)
  const [dead] = await listDeadJobs(queue.db, 10)
  assert.deepEqual(
    [dead?.name, dead?.payload, dead?.attempts, dead?.error],
    ['broken', { n: 1 }, 3, 'it is broken'],
  )
})

test('lists, replays, deletes and expires dead jobs', async () => {
  await using queue = await createQueue()
  const seen = createRecord<number>()
  let isBroken = true
  const job = defineJob<object, { n: number }>({
    name: 'broken',
    attemptsMax: 1,
    timeoutMs: 10_000,
    async run(_ctx, { n }) {
      if (isBroken) throw new Error('it is broken')
      seen.add(n)
    },
  })
  {
    await using _runner = await queue.start([job])
    for (const n of [1, 2, 3]) await queue.enqueue(job, { n }, { key: `${n}` })
    await until(async () => (await listDeadJobs(queue.db, 10)).length === 3)
    const [first, ...rest] = await listDeadJobs(queue.db, 10)
    assert.ok(first)
    assert.deepEqual(await listDeadJobs(queue.db, 10, first.id), rest)

    isBroken = false
    assert.equal(await replayDeadJobs(queue.db, first.id), 1)
    assert.equal(await replayDeadJobs(queue.db, first.id), 0)
    await seen.waitForCount(1)
    // Enqueued again meanwhile: the newer one is kept.
    const [second, third] = rest
    await queue.enqueue(job, { n: 20 }, { key: '2', runAt: new Date(Date.now() + 60_000) })
    assert.equal(await replayDeadJobs(queue.db, second?.id ?? 0n), 1)
    assert.equal(await deleteDeadJobs(queue.db, third?.id ?? 0n), 1)
    assert.equal(await deleteDeadJobs(queue.db, third?.id ?? 0n), 0)
    assert.deepEqual(await listDeadJobs(queue.db, 10), [])
    const waiting = await queue.query<{ payload: unknown }>('select payload from job')
    assert.deepEqual(waiting, [{ payload: { n: 20 } }])
    isBroken = true
    await queue.enqueue(job, { n: 4 })
    await until(async () => (await listDeadJobs(queue.db, 10)).length === 1)
  }
  await using _later = await queue.start([job], { deadRetentionMs: 1 })
  await until(async () => (await listDeadJobs(queue.db, 10)).length === 0)
  assert.deepEqual(seen.items.length, 1)
})
