import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChildCursor, encodeChildCursor } from './child-cursor.js'

const created_on = '2026-11-21 12:34:56.000001+00'

test('encodes and decodes a cursor', () => {
  for (const position of [0, 7, 2 ** 31 - 1]) {
    const token = encodeChildCursor({ position, created_on, seq: 123n })
    assert.deepEqual(decodeChildCursor(token), { position, createdOn: created_on, seq: '123' })
  }
  assert.equal(decodeChildCursor(''), undefined)
})

test('rejects malformed page tokens', () => {
  const message = '[invalid_argument] page_token: is not a page token of this list'
  const good = encodeChildCursor({ position: 0, created_on, seq: 1n })
  const rest = good.slice(good.indexOf('.'))
  for (const token of [
    'x',
    '.',
    '1.',
    good.slice(2),
    `-1${rest}`,
    `1e3${rest}`,
    `2147483648${rest}`,
    `99999999999${rest}`,
  ]) {
    assert.throws(() => decodeChildCursor(token), { message }, token)
  }
})
