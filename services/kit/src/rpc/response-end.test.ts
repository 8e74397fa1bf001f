import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseEnd } from './response-end.js'

const message = (flags: number, length: number) => {
  const bytes = Buffer.alloc(5 + length)
  bytes.writeUInt8(flags)
  bytes.writeUInt32BE(length, 1)
  return bytes
}

/** After how many bytes the end is reached, with parts of this many bytes. */
function reachedAfter(bytes: Buffer, header: Record<string, string>, partBytes: number): number[] {
  const end = responseEnd(new Headers(header))
  const reached: number[] = []
  for (let at = 0; at < bytes.length; at += partBytes) {
    end.add(bytes.subarray(at, at + partBytes))
    if (end.isReached()) reached.push(Math.min(at + partBytes, bytes.length))
  }
  return reached
}

test('a stream ends with the message that has the flag of the end', () => {
  const header = { 'content-type': 'application/connect+proto' }
  const all = Buffer.concat([message(0, 0), message(1, 300), message(0, 7), message(3, 20)])
  for (const partBytes of [1, 2, 5, 7, 1000]) {
    assert.deepEqual(reachedAfter(all, header, partBytes), [all.length])
    assert.deepEqual(reachedAfter(all.subarray(0, -1), header, partBytes), [])
    assert.deepEqual(reachedAfter(all.subarray(0, -25), header, partBytes), [])
  }
  assert.deepEqual(reachedAfter(message(2, 0), header, 1), [5])
})

test('a response with a length ends there; the end of others is not known', () => {
  assert.deepEqual(reachedAfter(Buffer.alloc(10), { 'content-length': '10' }, 3), [10])
  assert.deepEqual(reachedAfter(Buffer.alloc(9), { 'content-length': '10' }, 3), [])
  assert.deepEqual(reachedAfter(Buffer.alloc(9), { 'content-type': 'application/proto' }, 3), [])
})
