import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batched.js'

test('combines the requests that arrive during a run', async () => {
  const calls: number[][] = []
  let first = () => {}
  const square = batched(async (asked: number[]) => {
    calls.push(asked)
    if (calls.length === 1) {
      await new Promise<void>((resolve) => {
        first = resolve
      })
    }
    return new Map(asked.map((n) => [n, n * n]))
  })
  const together = [square(1), square(2)]
  while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const later = [square(3), square(4), square(5)]
  first()
  assert.deepEqual(await Promise.all([...together, ...later]), [1, 4, 9, 16, 25])
  assert.deepEqual(calls, [
    [1, 2],
    [3, 4, 5],
  ])
})

test('rejects the requests of a failed batch only', async () => {
  let isBroken = true
  const same = batched(async (asked: number[]) => {
    if (isBroken) throw new Error('broken')
    return new Map(asked.map((n) => [n, n]))
  })
  const outcomes = await Promise.allSettled([same(1), same(2)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isBroken = false
  assert.equal(await same(3), 3)
})
