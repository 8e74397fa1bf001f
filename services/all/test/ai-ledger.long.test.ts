import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '@figbase/stories-ai/testing/model-server'
import { checkLedger } from './support/ai-ledger/check.js'
import { startInProcesses } from './support/ai-ledger/product.js'
import { Run } from './support/ai-ledger/run.js'

/**
 * Users ask a model, which answers, fails, is silent or sends nonsense; clients leave; the process of the service is
 * killed. Afterwards the ledger equals what the model says that it sent, by user, workspace, model and route:
 * - exactly for requests that the process settled, with an estimate for what the model did not report;
 * - by the estimate in its row for a request whose process was killed before it was settled.
 */
for (const provider of ['openai', 'anthropic'] as const) {
  test(`the ledger of 1,000 requests, with failures and kills: ${provider}`, async (t) => {
    await using model = await startModelServer()
    await using product = await startInProcesses(model, provider)
    const seed = Number(process.env.SEED ?? 1)
    const run = new Run(product, model, { askers: 16, asks: 1000, kills: 5, seed })
    await run.prepare()
    await run.run()
    const usage = await checkLedger(run)
    assert.ok(run.orphans.all.length > 0, 'the kills hit no request')
    const { completed, failed, aborted } = model.totals
    t.diagnostic(`model: ${completed} completed, ${failed} failed, ${aborted} aborted`)
    t.diagnostic(`ledger: ${JSON.stringify(usage.total())}`)
    t.diagnostic(`${run.orphans.all.length} requests were killed`)
  })
}
