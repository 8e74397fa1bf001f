import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '@figbase/stories-ai/testing/model-server'
import { checkLedger } from './support/ai-ledger/check.js'
import { startInOneProcess } from './support/ai-ledger/product.js'
import { Run } from './support/ai-ledger/run.js'

test('the ledger has what the model sent, also after a kill', async (t) => {
  await using model = await startModelServer()
  await using product = await startInOneProcess(model, 'openai')
  const run = new Run(product, model, { askers: 6, asks: 60, kills: 1, seed: 1 })
  await run.prepare()
  await run.run()
  const usage = await checkLedger(run)
  assert.ok(run.orphans.all.length > 0, 'the kill hit no request')
  t.diagnostic(`${run.orphans.all.length} killed; ${JSON.stringify(usage.total())}`)
})
