import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPng } from './png.js'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('accepts a PNG, but not a truncated or extended one', () => {
  assert.ok(isPng(pixel))
  for (let length = 0; length < pixel.length; length++) {
    assert.ok(!isPng(pixel.subarray(0, length)), `${length} bytes`)
  }
  assert.ok(!isPng(Buffer.concat([pixel, Buffer.from('x')])))
})

test('rejects a PNG with any changed byte', () => {
  for (let at = 0; at < pixel.length; at++) {
    const changed = Buffer.from(pixel)
    changed[at] = (changed[at] ?? 0) ^ 0x40
    assert.ok(!isPng(changed), `byte ${at}`)
  }
})

test('rejects a PNG without pixels, and other formats', () => {
  const withoutPixels = Buffer.concat([pixel.subarray(0, 33), pixel.subarray(-12)])
  for (const bytes of [withoutPixels, Buffer.from('GIF89a'), Buffer.from('<svg/>')]) {
    assert.ok(!isPng(bytes))
  }
})

test('rejects a PNG if the header is not the first chunk', () => {
  const [signature, header] = [pixel.subarray(0, 8), pixel.subarray(8, 33)]
  const [pixels, end] = [pixel.subarray(33, -12), pixel.subarray(-12)]
  assert.ok(isPng(Buffer.concat([signature, header, pixels, end])))
  assert.ok(!isPng(Buffer.concat([signature, pixels, header, end])))
})
