import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineJob } from '../src/jobs/index.js'
import { createQueue, createRecord, isEmpty, until } from './queue.js'

type Named = { name: string }

function recordingJob(more: { priority?: number; concurrencyMax?: number } = {}) {
  const record = createRecord<string>()
  const job = defineJob<object, Named>({
    name: 'note',
    attemptsMax: 1,
    timeoutMs: 10_000,
    ...more,
    run: async (_, { name }) => record.add(name),
  })
  return { job, record }
}

test('runs jobs by priority, then in order of enqueueing', async () => {
  await using queue = await createQueue()
  const { job, record } = recordingJob({ priority: 5 })
  await queue.enqueue(job, { name: 'usual' })
  await queue.enqueue(job, { name: 'late' }, { priority: 9 })
  await queue.enqueue(job, { name: 'usual, too' })
  await queue.enqueue(job, { name: 'first' }, { priority: -1 })
  await using _runner = await queue.start([job], { concurrency: 1 })
  assert.deepEqual(await record.waitForCount(4), ['first', 'usual', 'usual, too', 'late'])
})

test('runs a delayed job at its time without delaying others', async () => {
  await using queue = await createQueue()
  const { job, record } = recordingJob()
  await using _runner = await queue.start([job], { concurrency: 1 })
  const runAt = new Date(Date.now() + 1500)
  await queue.enqueue(job, { name: 'later' }, { runAt })
  await queue.enqueue(job, { name: 'now' })
  assert.deepEqual(await record.waitForCount(1), ['now'])
  assert.deepEqual(await record.waitForCount(2), ['now', 'later'])
  assert.ok(Date.now() >= runAt.getTime())
})

test('keeps one waiting job per key, with the newest payload', async () => {
  await using queue = await createQueue()
  const { job, record } = recordingJob()
  const waiting = Array.from({ length: 10 }, (_, i) =>
    queue.enqueue(job, { name: `version ${i}` }, { key: 'a' }),
  )
  await Promise.all(waiting)
  await queue.enqueue(job, { name: 'the last' }, { key: 'a' })
  await queue.enqueue(job, { name: 'another' }, { key: 'b' })
  await using _runner = await queue.start([job], { concurrency: 1 })
  await until(() => isEmpty(queue))
  assert.deepEqual(record.items, ['the last', 'another'])
})

test('runs a job once more if its key is enqueued while it runs', async () => {
  await using queue = await createQueue()
  const record = createRecord<string>()
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const job = defineJob<object, Named>({
    name: 'note',
    attemptsMax: 1,
    timeoutMs: 10_000,
    async run(_, { name }) {
      record.add(`${name} begins`)
      if (name === 'first') await finished
      record.add(`${name} ends`)
    },
  })
  await using _runner = await queue.start([job], { concurrency: 4 })
  await queue.enqueue(job, { name: 'first' }, { key: 'a' })
  await record.waitForCount(1)
  await queue.enqueue(job, { name: 'second' }, { key: 'a' })
  await queue.enqueue(job, { name: 'third' }, { key: 'a' })
  await queue.enqueue(job, { name: 'other' }, { key: 'b' })
  await record.waitForCount(3)
  finish()
  await until(() => isEmpty(queue))
  assert.deepEqual(record.items, [
    'first begins',
    'other begins',
    'other ends',
    'first ends',
    'third begins',
    'third ends',
  ])
})

test('limits the concurrency of a job across processes', async () => {
  await using queue = await createQueue()
  let now = 0
  let most = 0
  const ended = createRecord<number>()
  const busy = defineJob<object, object>({
    name: 'busy',
    attemptsMax: 1,
    timeoutMs: 10_000,
    concurrencyMax: 3,
    async run() {
      most = Math.max(most, ++now)
      await sleep(5)
      ended.add(now--)
    },
  })
  const { job, record } = recordingJob()
  await queue.transact(async (tx) => {
    for (let i = 0; i < 60; i++) await queue.enqueueIn(tx, busy, {})
    for (let i = 0; i < 20; i++) await queue.enqueueIn(tx, job, { name: 'free' })
  })
  await using _one = await queue.start([busy, job], { concurrency: 5 })
  await using _two = await queue.start([busy, job], { concurrency: 5 })
  // Jobs at their limit do not take slots of the others.
  await record.waitForCount(20)
  assert.ok(ended.items.length < 50, `${ended.items.length} of the first were over by then`)
  await ended.waitForCount(60)
  assert.equal(most, 3)
})

test('a workspace with 500 jobs does not delay the job of another', async () => {
  await using queue = await createQueue()
  const { job, record } = recordingJob()
  const [many, few] = [randomUUID(), randomUUID()]
  await queue.transact(async (tx) => {
    for (let i = 0; i < 500; i++) {
      await queue.enqueueIn(tx, job, { name: 'many' }, { workspaceId: many })
    }
  })
  await queue.enqueue(job, { name: 'few' }, { workspaceId: few })
  await using _runner = await queue.start([job], { concurrency: 1 })
  await record.waitForCount(250)
  assert.ok(record.items.indexOf('few') <= 1)
  // Also later; and repeated enqueueing does not displace the others.
  for (let i = 0; i < 20; i++) {
    const before = record.items.length
    await queue.enqueue(job, { name: `again ${i}` }, { workspaceId: few })
    await record.waitForCount(before + 10)
  }
  await until(() => isEmpty(queue))
  const places = record.items.flatMap((name, at) => (name.startsWith('again') ? [at] : []))
  assert.equal(places.length, 20)
  assert.ok((places.at(-1) ?? 501) < 500, 'the small workspace must finish before the large one')
})

test('a job with much work takes turns with the jobs of other workspaces', async () => {
  await using queue = await createQueue()
  const record = createRecord<string>()
  const job = defineJob<object, Named & { left: number }>({
    name: 'note',
    attemptsMax: 1,
    timeoutMs: 10_000,
    concurrencyMax: 1,
    async run(_, { name, left }) {
      record.add(`${name} ${left}`)
      return left > 1 ? { rest: { name, left: left - 1 } } : undefined
    },
  })
  const [large, small] = [randomUUID(), randomUUID()]
  await queue.enqueue(job, { name: 'large', left: 4 }, { key: 'large', workspaceId: large })
  await queue.enqueue(job, { name: 'next', left: 1 }, { key: 'next', workspaceId: large })
  for (const key of ['a', 'b']) {
    await queue.enqueue(job, { name: key, left: 1 }, { key, workspaceId: small })
  }
  await using _runner = await queue.start([job], { concurrency: 1 })
  await until(() => isEmpty(queue))
  const turns = ['large 4', 'a 1', 'next 1', 'b 1', 'large 3', 'large 2', 'large 1']
  assert.deepEqual(record.items, turns)
})

test('a job that is enqueued during a turn begins again with the new payload', async () => {
  await using queue = await createQueue()
  const record = createRecord<string>()
  const job = defineJob<object, Named & { left: number }>({
    name: 'note',
    attemptsMax: 1,
    timeoutMs: 10_000,
    async run(_, { name, left }) {
      record.add(`${name} ${left}`)
      if (name === 'old') await queue.enqueue(job, { name: 'new', left: 2 }, { key: 'a' })
      return left > 1 ? { rest: { name, left: left - 1 } } : undefined
    },
  })
  await queue.enqueue(job, { name: 'old', left: 3 }, { key: 'a' })
  await using _runner = await queue.start([job], { concurrency: 1 })
  await until(() => isEmpty(queue))
  assert.deepEqual(record.items, ['old 3', 'new 2', 'new 1'])
})

test('a job that is canceled during a turn has no further one', async () => {
  await using queue = await createQueue()
  const record = createRecord<string>()
  const job = defineJob<object, Named>({
    name: 'note',
    attemptsMax: 1,
    timeoutMs: 10_000,
    async run(_, { name }) {
      record.add(name)
      await queue.cancel(job, 'a')
      return { rest: { name: 'the next' } }
    },
  })
  await queue.enqueue(job, { name: 'the only' }, { key: 'a' })
  await using _runner = await queue.start([job], { concurrency: 1 })
  await until(() => isEmpty(queue))
  assert.deepEqual(record.items, ['the only'])
})
