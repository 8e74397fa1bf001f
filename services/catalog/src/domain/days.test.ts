import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastDays } from './days.js'

test('returns each day once, across months and leap days, ending with today', () => {
  assert.deepEqual(lastDays(3, new Date('2028-03-01T00:00:00Z')), [
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ])
  const year = lastDays(365, new Date('2026-11-21T23:59:59.999Z'))
  assert.deepEqual([year.length, new Set(year).size], [365, 365])
  assert.deepEqual([year[0], year[364]], ['2025-11-22', '2026-11-21'])
})
