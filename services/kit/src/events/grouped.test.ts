import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grouped } from './grouped.js'

test('what is asked for while work is under way is done together by the next', async () => {
  const calls: number[][] = []
  let first = () => {}
  const square = grouped(async (asked: number[]) => {
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

test('a failure is that of all who asked, and of nobody after them', async () => {
  let isBroken = true
  const same = grouped(async (asked: number[]) => {
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
