import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { TimestampSchema } from '@bufbuild/protobuf/wkt'
import { checkedExpiry } from './expiry.js'

const at = (seconds: bigint, nanos = 0) =>
  checkedExpiry(create(TimestampSchema, { seconds, nanos }))

test('an unset expiry is null', () => {
  assert.equal(checkedExpiry(undefined), null)
})

test('accepts times up to the year 9999', () => {
  assert.match(at(0n) ?? '', /^1970-01-01T00:00:00/)
  assert.match(at(253_402_300_799n, 999_999_999) ?? '', /^9999-12-31T23:59:59\.999/)
})

test('rejects malformed and out-of-range times', () => {
  for (const [seconds, nanos] of [
    [-1n, 0],
    [253_402_300_800n, 0],
    [0n, -1],
    [0n, 1_000_000_000],
  ] as const) {
    assert.throws(() => at(seconds, nanos), { message: /expiry: must be a time in the future/ })
  }
})
