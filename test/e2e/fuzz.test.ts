import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFuzz } from '../src/fuzz/run-fuzz.js'
import { withoutStaff } from '../src/staff.js'

// The thorough run is `npm run test:long -- fuzz`.
test('answers 600 valid, mutated and hostile requests as the document says', {
  skip: withoutStaff,
}, async (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? 1)
  const size = { first: 0, count: 600, concurrency: 2, msMax: 300_000 }
  const report = await runFuzz({ seed, ...size, isShared: true })
  for (const line of report.lines()) t.diagnostic(line)
  assert.deepEqual(report.failures, [])
})
