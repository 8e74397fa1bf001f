import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { createGate } from './gate.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('no more than so many run at a time, in the order they came', async () => {
  const gate = createGate(2, 100)
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
  assert.deepEqual(await Promise.all(numbers.map((n) => gate(work(n)))), numbers)
  assert.equal(runningMax, 2)
  assert.deepEqual(order, numbers)
})

test('too many that wait are refused, and a failure frees its place', async () => {
  const gate = createGate(1, 1)
  const failing = gate(async () => {
    await turn()
    throw new Error('broken')
  })
  const waiting = gate(async () => 'done')
  await assert.rejects(
    gate(async () => 'late'),
    { code: Code.ResourceExhausted },
  )
  await assert.rejects(failing, /broken/)
  assert.equal(await waiting, 'done')
  assert.equal(await gate(async () => 'again'), 'again')
})
