import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { keysFrom } from '@figbase/kit/keys'
import { createRequestLimiter, openLimits } from '@figbase/kit/limits'
import { createLogger } from '@figbase/kit/log'
import { clientAddressOf } from '@figbase/kit/net'
import { applyRateLimit } from './rate-limit.js'

test('counts a request in less than 10 µs', async (t) => {
  const log = createLogger('test', 'silent')
  await using limits = await openLimits('', { service: 'test', keys: keysFrom('secret'), log })
  const requests = createRequestLimiter(limits, 1_000_000)
  const addresses = Array.from({ length: 1000 }, (_, n) => `2001:db8::${n.toString(16)}:0:0:1`)
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  const rounds = 200
  const run = () => {
    for (const address of addresses) {
      const refusal = applyRateLimit(res, requests.count('', clientAddressOf(address)))
      assert.equal(refusal, undefined)
    }
  }
  run()
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) run()
  const { user, system } = process.cpuUsage(before)
  const each = (user + system) / (rounds * addresses.length)
  t.diagnostic(`counting a request and setting the headers: ${each.toFixed(2)} µs of CPU time`)
  assert.ok(each < 10, `${each} µs`)
})
