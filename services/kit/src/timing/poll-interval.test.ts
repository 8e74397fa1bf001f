import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PollInterval } from './poll-interval.js'

test('doubles up to the maximum and starts over after a reset', () => {
  const interval = new PollInterval(1000, 5000)
  assert.deepEqual(
    [interval.next(), interval.next(), interval.next(), interval.next()],
    [1000, 2000, 4000, 5000],
  )
  interval.reset()
  assert.equal(interval.next(), 1000)
})
