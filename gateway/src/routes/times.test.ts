import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toIso } from '@figbase/kit/db'
import { parseTime } from './times.js'

const good: [text: string, iso: string][] = [
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000000Z'],
  ['2026-01-31T12:00:00.123456+02:00', '2026-01-31T10:00:00.123456Z'],
  ['2026-01-31 12:00:00.5 02:00', '2026-01-31T10:00:00.500000Z'],
  ['2026-01-31 12:00:00', '2026-01-31T12:00:00.000000Z'],
  ['2026-01-31T12:00-0330', '2026-01-31T15:30:00.000000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
]

for (const [text, iso] of good) {
  test(`parses a time: ${text}`, () => {
    const time = parseTime(text)
    assert.ok(time)
    assert.equal(toIso(time), iso)
  })
}

for (const text of ['yesterday', '2026-02-31', '2026-01-31T25:00:00Z', '1700000000', '2026-1-1']) {
  test(`rejects an invalid time: ${text}`, () => assert.equal(parseTime(text), undefined))
}
