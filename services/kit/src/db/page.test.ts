import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { decodeCursor, encodeCursor, pageSize, toPage } from './page.js'

const rows = [1n, 2n, 3n].map((seq) => ({ created_on: '2026-11-21 12:34:56.123456+00', seq }))

test('round-trips a cursor with microseconds and large numbers', () => {
  const cursor = { createdOn: '2026-11-21 12:34:56.123456+00', seq: '900719925474099301' }
  assert.deepEqual(decodeCursor(encodeCursor(cursor)), cursor)
  assert.equal(decodeCursor(''), undefined)
})

test('rejects a forged token', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = [
    'x',
    '%%%',
    encode(null),
    encode({}),
    encode(['yesterday', '1']),
    encode(['2026-99-99 00:00:00+00', '1']),
    encode(['2026-11-21 12:34:56+00', '99999999999999999999']),
    encode(['2026-11-21 12:34:56+00', '-1']),
    encode(['2026-11-21 12:34:56+00', 1]),
    encode([`2026-11-21 12:34:56+00'; drop table x`, '1']),
  ]
  for (const token of forged) {
    assert.throws(() => decodeCursor(token), { code: Code.InvalidArgument }, token)
  }
})

test('returns a next page token only if there are more rows', () => {
  const page = toPage(rows, 2)
  assert.equal(page.rows.length, 2)
  assert.equal(decodeCursor(page.nextPageToken)?.seq, '2')
  assert.equal(toPage(rows, 3).nextPageToken, '')
  assert.equal(toPage([], 3).nextPageToken, '')
})

test('limits a page to 1000 rows', () => {
  assert.deepEqual([0, -1, 1, 1000, 5000].map(pageSize), [1000, 1000, 1, 1000, 1000])
})
