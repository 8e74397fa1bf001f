import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Idle } from './idle.js'

test('each rest is twice the last one, up to the longest, and short again after a find', () => {
  const idle = new Idle(1000, 5000)
  assert.deepEqual([idle.next(), idle.next(), idle.next(), idle.next()], [1000, 2000, 4000, 5000])
  idle.reset()
  assert.equal(idle.next(), 1000)
})
