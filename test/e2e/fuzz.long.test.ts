// Not for every run (`npm run test:long -- fuzz`): it takes minutes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsInLog } from '../src/fuzz/product-log.js'
import { runFuzz } from '../src/fuzz/run-fuzz.js'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const first = Number(process.env.FUZZ_FIRST ?? 0)
const count = Number(process.env.FUZZ_REQUESTS ?? 100_000)
// Before the time limit of a test file, so that the results are printed.
const msMax = 40 * 60_000

test(`answers ${count} valid, mutated and hostile requests as the document says`, async (t) => {
  const started = performance.now()
  const options = { seed, first, count, concurrency: 8, msMax, isShared: false }
  const report = await runFuzz(options)
  for (const line of report.lines()) t.diagnostic(line)
  t.diagnostic(`${Math.round((performance.now() - started) / 1000)} s`)
  const errors = errorsInLog()
  assert.deepEqual([...report.failures, ...errors.slice(0, 20)], [])
})
