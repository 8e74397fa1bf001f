import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryLimiter } from './memory.js'
import { keysMax, type Limiter } from './port.js'
import { createQuickLimiter } from './quick.js'

const three = { name: 'three', pointsMax: 3, windowMs: 60_000 }

test('so much may happen, and then no more; keys do not know of each other', () => {
  const limiter = createQuickLimiter(three)
  const remaining = [1, 2, 3].map(() => limiter.count('ann').remaining)
  assert.deepEqual(remaining, [2, 1, 0])
  assert.equal(limiter.peek('ann').isExceeded, true)
  assert.equal(limiter.count('ann').isExceeded, true)
  assert.deepEqual(limiter.peek('bob'), { isExceeded: false, limit: 3, remaining: 3, resetMs: 0 })
  for (let n = 0; n < 9; n++) assert.equal(limiter.count('').isExceeded, false)
})

test('a window ends when it said it would', (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const limiter = createQuickLimiter(three)
  assert.equal(limiter.count('ann', 9).resetMs, 60_000)
  t.mock.timers.tick(59_999)
  assert.deepEqual(limiter.count('ann'), { isExceeded: true, limit: 3, remaining: 0, resetMs: 1 })
  t.mock.timers.tick(1)
  assert.equal(limiter.peek('ann').remaining, 3)
  assert.equal(limiter.count('ann').remaining, 2)
})

test('however many keys come, a bounded number is remembered: those counted last', () => {
  const limiter = createQuickLimiter(three)
  limiter.count('first')
  for (let n = 0; n < keysMax; n++) {
    limiter.count(String(n))
    if (n % 1000 === 0) limiter.count('often')
  }
  assert.equal(limiter.peek('first').remaining, 3)
  assert.equal(limiter.peek('often').remaining, 0)
  assert.equal(limiter.peek(String(keysMax - 1)).remaining, 2)
})

test('two processes add up what they count, with one call a key and second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const options = { ...three, pointsMax: 100 }
  const memory = createMemoryLimiter(options)
  const told: number[] = []
  const shared: Limiter = {
    ...memory,
    count(key, points) {
      told.push(points ?? 0)
      return memory.count(key, points)
    },
  }
  const one = createQuickLimiter(options, shared)
  const other = createQuickLimiter(options, shared)
  for (let n = 0; n < 40; n++) one.count('ann')
  for (let n = 0; n < 50; n++) other.count('ann')
  assert.deepEqual(told, [])
  await tick(t)
  assert.deepEqual(told, [40, 50])
  assert.equal(other.peek('ann').remaining, 10)
  // What others have counted is heard when something is told.
  assert.equal(one.count('ann').remaining, 59)
  await tick(t)
  assert.equal(one.peek('ann').remaining, 9)
  assert.deepEqual(told, [40, 50, 1])
  await tick(t)
  assert.deepEqual(told, [40, 50, 1], 'nothing new, and something was told')
  other.count('ann', 20)
  await tick(t)
  one.count('ann')
  await tick(t)
  assert.equal(one.count('ann').isExceeded, true)
})

test('windows of processes end together; what a store forgets is still known here', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const memory = createMemoryLimiter(three)
  const early = createQuickLimiter(three, memory)
  const late = createQuickLimiter(three, memory)
  early.count('ann')
  await tick(t)
  t.mock.timers.tick(30_000)
  assert.equal(late.count('ann').resetMs, 60_000)
  await tick(t)
  assert.deepEqual(late.peek('ann'), { isExceeded: false, limit: 3, remaining: 1, resetMs: 29_000 })
  await memory.forget('ann')
  late.count('ann')
  await tick(t)
  assert.deepEqual(late.peek('ann'), { isExceeded: true, limit: 3, remaining: 0, resetMs: 28_000 })
})

/** A second later, when what is told has been answered. */
async function tick(t: { mock: { timers: { tick(ms: number): void } } }) {
  t.mock.timers.tick(1000)
  await new Promise((resolve) => setImmediate(resolve))
}
