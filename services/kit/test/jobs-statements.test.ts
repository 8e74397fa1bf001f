import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { defineJob } from '../src/jobs/index.js'
import { enqueueJob } from '../src/jobs/queue.js'
import { createQueue, createRecord, isEmpty, until } from './queue.js'

const attemptLimits = { attemptsMax: 3, timeoutMs: 60_000 }

type Kind = 'claim_jobs' | 'complete_job' | 'complete_and_claim'

type Watching = {
  /** May withhold the response of a statement. */
  answered?: (kind: Kind) => Promise<void> | void
  /** Heartbeats fail, so that jobs are only found by wake signals. */
  losesBeats?: boolean
}

type Answer = (error: Error | null, result?: unknown) => void

/** Records which of these statements are sent, in order. */
function watchClaims(t: TestContext, { answered, losesBeats = false }: Watching = {}) {
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
  const sent: Kind[] = []
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const answer = args.at(-1) as Answer
    const text = (args[0] as { text?: string }).text ?? ''
    if (losesBeats && text.includes('as someone_died')) {
      return setImmediate(answer, new Error('the heartbeat is lost'))
    }
    const kind = /(claim_jobs|complete_job|complete_and_claim)\(/.exec(text)?.[1] as Kind
    if (!kind) return query.apply(this, args)
    sent.push(kind)
    const later: Answer = (...given) => {
      const reported = (async () => answered?.(kind))()
      reported.then(
        () => answer(...given),
        (error: Error) => answer(error),
      )
    }
    return query.call(this, ...args.slice(0, -1), later)
  } as pg.Client['query'])
  return sent
}

/** Withholds the response of the first completion that claims, until `answer` is called. */
function withholdingEnd() {
  const ending = createRecord<Kind>()
  let answer: () => void = () => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  const answered = async (kind: Kind) => {
    if (kind !== 'complete_and_claim') return
    ending.add(kind)
    if (ending.items.length === 1) await mayAnswer
  }
  return { answered, answer, reached: () => ending.waitForCount(1) }
}

function recording(concurrencyMax?: number) {
  const runs = createRecord<string>()
  const job = defineJob<object, string>({
    name: 'note',
    ...attemptLimits,
    ...(concurrencyMax && { concurrencyMax }),
    run: async (_, name) => runs.add(name),
  })
  return { job, runs }
}

test('a single job costs a claim and a completion', async (t) => {
  await using queue = await createQueue()
  const { job } = recording()
  await using _runner = await queue.start([job])
  const sent = watchClaims(t)
  await queue.enqueue(job, 'alone')
  await until(() => isEmpty(queue))
  assert.deepEqual(sent, ['claim_jobs', 'complete_job'])
})

test('each of many jobs costs one statement that completes it and claims the next', async (t) => {
  await using queue = await createQueue()
  const { job, runs } = recording()
  const names = ['a', 'b', 'c', 'd']
  await queue.transact(async (tx) => {
    for (const name of names) await queue.enqueueIn(tx, job, name)
  })
  const sent = watchClaims(t)
  await using _runner = await queue.start([job], { concurrency: 1 })
  await until(() => isEmpty(queue))
  assert.deepEqual(runs.items, names)
  const ends = names.map(() => 'complete_and_claim')
  assert.deepEqual(sent.slice(0, 1 + names.length), ['claim_jobs', ...ends])
})

test('a completion during a claim also claims, as there may be more jobs than slots', async (t) => {
  await using queue = await createQueue()
  let answer: () => void = () => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  let claims = 0
  const sent = watchClaims(t, {
    answered: async (kind) => {
      if (kind === 'claim_jobs' && ++claims === 2) await mayAnswer
      if (kind === 'complete_and_claim') answer()
    },
  })
  const runs = createRecord<string>()
  const job = defineJob<object, string>({
    name: 'note',
    ...attemptLimits,
    async run(_, name) {
      if (name === 'first') await queue.enqueue(job, 'second')
      runs.add(name)
    },
  })
  await using _runner = await queue.start([job])
  await queue.enqueue(job, 'first')
  await until(() => isEmpty(queue))
  assert.deepEqual(runs.items, ['first', 'second'])
  assert.deepEqual(sent, ['claim_jobs', 'claim_jobs', 'complete_and_claim', 'complete_job'])
})

test('never exceeds the slots', async () => {
  await using queue = await createQueue()
  let now = 0
  let most = 0
  const ended = createRecord<number>()
  const job = defineJob<object, number>({
    name: 'busy',
    ...attemptLimits,
    async run(_, n) {
      most = Math.max(most, ++now)
      await sleep(n % 7)
      ended.add(now--)
    },
  })
  await using _runner = await queue.start([job], { concurrency: 3 })
  for (let n = 0; n < 60; n++) await queue.enqueue(job, n)
  await queue.transact(async (tx) => {
    for (let n = 0; n < 60; n++) await queue.enqueueIn(tx, job, n)
  })
  await ended.waitForCount(120)
  await until(() => isEmpty(queue))
  assert.deepEqual([ended.items.length, most], [120, 3])
})

test('does not lose a job if the response is lost that completed its first and claimed its second run', async (t) => {
  await using queue = await createQueue()
  let lost = 0
  watchClaims(t, {
    answered: (kind) => {
      if (kind === 'complete_and_claim' && lost++ === 0) throw new Error('the connection is gone')
    },
  })
  const runs = createRecord<string>()
  const job = defineJob<object, string>({
    name: 'note',
    ...attemptLimits,
    concurrencyMax: 1,
    async run(_, name) {
      if (runs.items.length === 0) await queue.enqueue(job, 'again', { key: 'a' })
      runs.add(name)
    },
  })
  await using _runner = await queue.start([job])
  await queue.enqueue(job, 'first', { key: 'a' })
  await until(() => isEmpty(queue))
  assert.deepEqual(runs.items, ['first', 'again'])
})

test('releases a job that is claimed during shutdown', async (t) => {
  await using queue = await createQueue()
  const { answered, answer, reached } = withholdingEnd()
  watchClaims(t, { answered })
  const job = defineJob<object, string>({
    name: 'note',
    ...attemptLimits,
    async run(_, name, signal) {
      if (name === 'a') return
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  await queue.enqueue(job, 'a')
  await queue.enqueue(job, 'b')
  const runner = await queue.start([job], { concurrency: 1 })
  await reached()
  const stopped = runner[Symbol.asyncDispose]()
  answer()
  await stopped
  assert.deepEqual(await queue.query('select payload, state, attempts from job'), [
    { payload: 'b', state: 'waiting', attempts: 0 },
  ])
})

test('does not claim for slots reserved by a claim in progress', async (t) => {
  await using queue = await createQueue()
  const { answered, answer, reached } = withholdingEnd()
  let now = 0
  let most = 0
  const job = defineJob<object, string>({
    name: 'note',
    ...attemptLimits,
    concurrencyMax: 5,
    async run(_, name) {
      most = Math.max(most, ++now)
      // Like another process: no wake signal here.
      const byOther = (payload: string) => queue.transact((tx) => enqueueJob(tx, job, payload))
      if (name === 'a') await Promise.all([byOther('b'), byOther('c')])
      else await sleep(300)
      now--
    },
  })
  await using _runner = await queue.start([job])
  watchClaims(t, { losesBeats: true, answered })
  await queue.enqueue(job, 'a')
  await reached()
  await queue.enqueue(job, 'd')
  answer()
  await until(() => isEmpty(queue))
  assert.equal(most, 2)
})

test('remembers a wake signal without a free slot during a claiming completion', async (t) => {
  await using queue = await createQueue()
  const { answered, answer, reached } = withholdingEnd()
  const { job, runs } = recording(2)
  await using _runner = await queue.start([job])
  const sent = watchClaims(t, { losesBeats: true, answered })
  await queue.enqueue(job, 'a')
  // By then it has claimed for both slots and found nothing.
  await reached()
  await queue.enqueue(job, 'b')
  answer()
  await runs.waitForCount(2)
  assert.deepEqual(sent.slice(0, 3), ['claim_jobs', 'complete_and_claim', 'claim_jobs'])
})
