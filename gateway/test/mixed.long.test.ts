// Not for every run (`npm run test:long`): it takes minutes.
import { test } from 'node:test'
import { checkMixed, sendMixed } from './mixed.js'

test('answers 200,000 mixed requests, and announces each closed connection', async (t) => {
  const started = performance.now()
  const report = await sendMixed(200_000, 20)
  const { resets, unexpectedEnds, failures: _, ...counts } = report
  const seconds = Math.round((performance.now() - started) / 1000)
  t.diagnostic(
    `${JSON.stringify(counts)}: ${resets.length} resets, ${unexpectedEnds.length} unexpected ends, ${seconds} s`,
  )
  checkMixed(report)
})
