import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frame } from '../../test/websocket.js'
import { frameLengths } from './frame-lengths.js'

const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 100_000]

for (const chunkBytes of [1, 7, 1000, 1_000_000]) {
  test(`frames up to the limit pass, in chunks of ${chunkBytes} bytes`, () => {
    for (const isMasked of [true, false]) {
      const isShort = frameLengths(100_000)
      const bytes = Buffer.concat(lengths.map((length) => frame(length, isMasked)))
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        assert.ok(isShort(bytes.subarray(at, at + chunkBytes)))
      }
      assert.equal(isShort(frame(100_001, isMasked)), false)
    }
  })
}

test('the length of a frame is enough, without its payload', () => {
  const isShort = frameLengths(1000)
  assert.ok(isShort(frame(5, true)))
  const huge = Buffer.from([0x82, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255])
  assert.ok(isShort(huge.subarray(0, 9)))
  assert.equal(isShort(huge.subarray(9)), false)
})
