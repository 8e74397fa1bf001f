import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimestamp, toIso, toTimestamp } from './time.js'

test('keeps microseconds from PostgreSQL to the message and to text', () => {
  const cases = [
    ['2026-11-21 12:34:56.123456+00', '2026-11-21T12:34:56.123456Z'],
    ['2026-11-21 12:34:56.1+00', '2026-11-21T12:34:56.100000Z'],
    ['2026-11-21 12:34:56.000001+00', '2026-11-21T12:34:56.000001Z'],
    ['2026-11-21 12:34:56+00', '2026-11-21T12:34:56.000000Z'],
    ['1969-12-31 23:59:59.999999+00', '1969-12-31T23:59:59.999999Z'],
    ['2024-02-29 00:00:00+00', '2024-02-29T00:00:00.000000Z'],
  ]
  for (const [postgres = '', iso] of cases) assert.equal(toIso(toTimestamp(postgres)), iso)
})

test('rejects text that is not a UTC timestamp', () => {
  for (const text of ['infinity', '2026-11-21 12:34:56+02', '2026-11-21', '', 'now']) {
    assert.throws(() => toTimestamp(text), text)
    assert.equal(isTimestamp(text), false)
  }
  for (const text of [
    '2026-99-21 12:34:56+00',
    '2026-02-29 12:34:56+00',
    '2026-11-31 12:34:56.1+00',
    '2026-11-21 12:34:60+00',
    '2026-11-21 24:00:00+00',
    '0000-11-21 12:34:56+00',
  ]) {
    assert.equal(isTimestamp(text), false, text)
  }
  assert.equal(isTimestamp('0001-01-01 00:00:00+00'), true)
  assert.equal(isTimestamp('2026-11-21 12:34:56.000001+00'), true)
})
