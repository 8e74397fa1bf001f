import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeLiveCursor, encodeLiveCursor } from './live-cursor.js'

test('encodes the position in whole milliseconds', () => {
  assert.equal(encodeLiveCursor({ id: 12n, atMs: 34.9 }), '12-34')
  const largest = { id: 10n ** 18n - 1n, atMs: 10 ** 15 - 1 }
  for (const cursor of [{ id: 0n, atMs: 0 }, { id: 12n, atMs: 34 }, largest]) {
    assert.deepEqual(decodeLiveCursor(encodeLiveCursor(cursor)), cursor)
  }
})

test('rejects malformed cursors', () => {
  const others = ['', '12', '12-', '-34', ' 12-34', '12-34 ', 'a12-34', '12-34a', 'a-34', '12-a']
  for (const text of [...others, `${'9'.repeat(19)}-1`, `1-${'9'.repeat(16)}`, '1-2-3']) {
    assert.equal(decodeLiveCursor(text), undefined, text)
  }
})
