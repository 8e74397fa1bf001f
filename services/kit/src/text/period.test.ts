import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastPeriods, parsePeriod } from './period.js'

test('a period is a month in UTC, by default this one', () => {
  const december = { name: '2026-12', from: '2026-12-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }
  assert.deepEqual(parsePeriod('2026-12'), december)
  assert.deepEqual(parsePeriod('', new Date('2026-12-31T23:59:59Z')), december)
  assert.equal(parsePeriod('', new Date('2026-12-01T00:30:00+01:00')).name, '2026-11')
  assert.equal(parsePeriod('2026-09').to, '2026-10-01T00:00:00Z')
})

test('the last months end with this one, in UTC', () => {
  assert.deepEqual(lastPeriods(3, new Date('2026-01-31T23:00:00-05:00')), [
    '2025-12',
    '2026-01',
    '2026-02',
  ])
})

for (const text of [
  '2026',
  '2026-13',
  '2026-00',
  '0000-01',
  '0999-01',
  '2026-1',
  '2026-01-01',
  ' 2026-01',
  '2026-11\n',
  '12026-11',
  'now',
  '٢٠٢٦-١١',
]) {
  test(`${JSON.stringify(text)} is no period`, () => {
    assert.throws(() => parsePeriod(text), /period: must be a month/)
  })
}
