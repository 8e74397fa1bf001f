import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { createConcurrencyLimit } from './concurrency-limit.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('limits concurrency, first in first out', async () => {
  const limit = createConcurrencyLimit(2, 100)
  const order: number[] = []
  let running = 0
  let runningMax = 0
  const work = (n: number) => async () => {
    order.push(n)
    runningMax = Math.max(runningMax, ++running)
    await turn()
    running--
    return n
  }
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  assert.deepEqual(await Promise.all(numbers.map((n) => limit(work(n)))), numbers)
  assert.equal(runningMax, 2)
  assert.deepEqual(order, numbers)
})

test('rejects calls beyond the queue, and a failure frees its slot', async () => {
  const limit = createConcurrencyLimit(1, 1)
  const failing = limit(async () => {
    await turn()
    throw new Error('broken')
  })
  const waiting = limit(async () => 'done')
  await assert.rejects(
    limit(async () => 'late'),
    { code: Code.ResourceExhausted },
  )
  await assert.rejects(failing, /broken/)
  assert.equal(await waiting, 'done')
  assert.equal(await limit(async () => 'again'), 'again')
})
