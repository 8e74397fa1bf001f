import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCountedProduct } from './support/budgets/counted-product.js'
import { Browser, picture } from './support/budgets/operations.js'
import { line } from './support/budgets/statement-log.js'

// Long enough for backoffs to reach their maximum.
const settlingMs = 60_000
const windowMs = 60_000
const windowsMax = 4
const perSecondMax = 1

test('an idle product sends at most one statement per second to PostgreSQL', async (t) => {
  await using product = await startCountedProduct()
  const ann = await new Browser(product.url).signUp('ann')
  const { api_id: workspace } = await ann.json('POST', 'workspace/', { name: 'Climate' })
  const { api_id } = await ann.json('POST', 'analysis/', { name: 'Rain', workspace })
  const figure = await ann.newFigure(api_id)
  await ann.publish(figure.api_id, [await picture()])
  await product.settled()
  await sleep(settlingMs)
  for (let window = 1; ; window++) {
    await product.read()
    await sleep(windowMs)
    const statements = await product.read()
    const perSecond = statements.length / (windowMs / 1000)
    t.diagnostic(`${perSecond} statements per second`)
    if (perSecond <= perSecondMax) return
    // An hourly job may have run, or a backoff may not have reached its maximum.
    assert.ok(window < windowsMax, statements.map(line).join('\n'))
  }
})
