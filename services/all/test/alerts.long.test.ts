import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expressions, findUnknown } from './support/alerts/expressions.js'
import { checkFault, faults } from './support/alerts/faults.js'
import {
  startWatchedProduct,
  type WatchedProduct,
  watchedSkipReason,
} from './support/alerts/product.js'
import { rules } from './support/alerts/rules.js'

/** Longer than `for` of every alert but that of CronJobs, and a window. */
const healthyMs = 25_000

const skip = watchedSkipReason()
let product: WatchedProduct

before(async () => {
  if (!skip) product = await startWatchedProduct()
})
after(() => product?.[Symbol.asyncDispose]())

test('every alert has a fault', () => {
  const fired = new Set(Object.values(faults).flatMap(({ alerts }) => alerts))
  assert.deepEqual([...fired].sort(), rules.map(({ alert }) => alert).sort())
})

test('no alert fires while Figbase is healthy', { skip }, async () => {
  const { figure, prometheus } = product
  const stopLoad = product.load(3, `figure/${figure}/`, 'user/ada/', 'workspace/')
  const end = performance.now() + healthyMs
  while (performance.now() < end) {
    assert.deepEqual(await prometheus.firing(), [])
    await sleep(500)
  }
  await stopLoad()
  const served = await prometheus.query('sum(figbase_http_requests_total{status="200"})')
  assert.ok((served ?? 0) > 100, `${served} requests`)
})

test('alerts and dashboard use metrics and labels that Figbase exports', { skip }, async (t) => {
  const unknown = expressions().map((expr) => findUnknown(product.prometheus, expr))
  assert.deepEqual((await Promise.all(unknown)).flat(), [])
  t.diagnostic(`${unknown.length} expressions`)
})

for (const [name, fault] of Object.entries(faults)) {
  test(`${name}: ${fault.alerts.join(' and ')}`, { skip }, async (t) => {
    t.diagnostic(await checkFault(product, fault))
  })
}
