import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOrder } from './support/check-order.js'

const heapMiBMax = 300

test('10,000 deliveries to a receiver that fails a third, in bounded memory', async () => {
  const heapBytes = await checkOrder({ objects: 1000, deliveriesOfEach: 10 })
  assert.ok(heapBytes < heapMiBMax * 2 ** 20, `the heap had ${heapBytes} bytes`)
})
