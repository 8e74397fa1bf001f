import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBufferedLimiter } from './buffered.js'
import { createMemoryLimiter } from './memory.js'
import { keysMax, type Limiter } from './port.js'

const three = { name: 'three', pointsMax: 3, windowMs: 60_000 }

test('allows up to the limit, per key', () => {
  const limiter = createBufferedLimiter(three)
  const remaining = [1, 2, 3].map(() => limiter.count('ann').remaining)
  assert.deepEqual(remaining, [2, 1, 0])
  assert.equal(limiter.peek('ann').isExceeded, true)
  assert.equal(limiter.count('ann').isExceeded, true)
  assert.deepEqual(limiter.peek('bob'), { isExceeded: false, limit: 3, remaining: 3, resetMs: 0 })
  for (let n = 0; n < 9; n++) assert.equal(limiter.count('').isExceeded, false)
})

test('ends a window at the announced time', (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const limiter = createBufferedLimiter(three)
  assert.equal(limiter.count('ann', 9).resetMs, 60_000)
  t.mock.timers.tick(59_999)
  assert.deepEqual(limiter.count('ann'), { isExceeded: true, limit: 3, remaining: 0, resetMs: 1 })
  t.mock.timers.tick(1)
  assert.equal(limiter.peek('ann').remaining, 3)
  assert.equal(limiter.count('ann').remaining, 2)
})

test('keeps a bounded number of the most recently counted keys', () => {
  const limiter = createBufferedLimiter(three)
  limiter.count('first')
  for (let n = 0; n < keysMax; n++) {
    limiter.count(String(n))
    if (n % 1000 === 0) limiter.count('often')
  }
  assert.equal(limiter.peek('first').remaining, 3)
  assert.equal(limiter.peek('often').remaining, 0)
  assert.equal(limiter.peek(String(keysMax - 1)).remaining, 2)
})

test('adds up the counts of two processes with one call per key and second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const options = { ...three, pointsMax: 100 }
  const memory = createMemoryLimiter(options)
  const reported: number[] = []
  const shared: Limiter = {
    ...memory,
    count(key, points) {
      reported.push(points ?? 0)
      return memory.count(key, points)
    },
  }
  const one = createBufferedLimiter(options, shared)
  const other = createBufferedLimiter(options, shared)
  for (let n = 0; n < 40; n++) one.count('ann')
  for (let n = 0; n < 50; n++) other.count('ann')
  assert.deepEqual(reported, [])
  await tick(t)
  assert.deepEqual(reported, [40, 50])
  assert.equal(other.peek('ann').remaining, 10)
  // The counts of others are learnt with the next synchronization.
  assert.equal(one.count('ann').remaining, 59)
  await tick(t)
  assert.equal(one.peek('ann').remaining, 9)
  assert.deepEqual(reported, [40, 50, 1])
  await tick(t)
  assert.deepEqual(reported, [40, 50, 1], 'nothing new, but a sync was sent')
  other.count('ann', 20)
  await tick(t)
  one.count('ann')
  await tick(t)
  assert.equal(one.count('ann').isExceeded, true)
})

test('synchronizes windows and keeps counts that the store lost', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const memory = createMemoryLimiter(three)
  const early = createBufferedLimiter(three, memory)
  const late = createBufferedLimiter(three, memory)
  early.count('ann')
  await tick(t)
  t.mock.timers.tick(30_000)
  assert.equal(late.count('ann').resetMs, 60_000)
  await tick(t)
  assert.deepEqual(late.peek('ann'), { isExceeded: false, limit: 3, remaining: 1, resetMs: 29_000 })
  await memory.reset('ann')
  late.count('ann')
  await tick(t)
  assert.deepEqual(late.peek('ann'), { isExceeded: true, limit: 3, remaining: 0, resetMs: 28_000 })
})

/** Advances a second and waits for the synchronization. */
async function tick(t: { mock: { timers: { tick(ms: number): void } } }) {
  t.mock.timers.tick(1000)
  await new Promise((resolve) => setImmediate(resolve))
}
