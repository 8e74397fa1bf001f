import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { createLogger } from '@figbase/kit/log'
import { createAddressReader } from './client-address.js'

function requestFrom(remoteAddress: string, forwardedFor?: string) {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
  const req = new IncomingMessage(socket)
  if (forwardedFor !== undefined) req.headers['x-forwarded-for'] = forwardedFor
  return req
}

test('logs an untrusted proxy once, and uses its address for all clients behind it', (t) => {
  const log = createLogger('test', 'silent')
  const warn = t.mock.method(log, 'warn')
  const read = createAddressReader(['10.0.0.1'], log)
  assert.equal(read(requestFrom('192.0.2.9')), '192.0.2.9')
  assert.equal(read(requestFrom('10.0.0.1', '192.0.2.1')), '192.0.2.1')
  assert.equal(warn.mock.callCount(), 0)
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    assert.equal(read(requestFrom('10.0.0.2', address)), '10.0.0.2')
  }
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: [fields] }) => fields),
    [{ proxy: '10.0.0.2' }],
  )
})
