import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RetryTimes } from './retry-times.js'

test('each time is waited for, and then the next one', async () => {
  const times = new RetryTimes()
  assert.equal(times.nextMs(60_000), 60_000)
  times.add(5000)
  times.add(10)
  const first = times.nextMs(60_000)
  assert.ok(first >= 0 && first <= 1010, `${first}`)
  await sleep(first + 1)
  assert.equal(times.nextMs(60_000), 0)
  times.forgetPast()
  const second = times.nextMs(60_000)
  assert.ok(second > 3000 && second <= 6000, `${second}`)
  assert.equal(times.nextMs(100), 100)
})
