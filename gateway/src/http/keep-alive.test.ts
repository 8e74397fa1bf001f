import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepAliveHeader } from './keep-alive.js'

test('clients keep an idle connection for half as long as the gateway, and as the delay of its shutdown', () => {
  assert.equal(keepAliveHeader(75_000, 0), 'timeout=37')
  assert.equal(keepAliveHeader(75_000, 10_000), 'timeout=5')
  assert.equal(keepAliveHeader(8000, 10_000), 'timeout=4')
  assert.equal(keepAliveHeader(500, 0), 'timeout=0')
})
