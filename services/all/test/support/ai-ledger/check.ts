import assert from 'node:assert/strict'
import { until } from '../launched.js'
import { costOf, costOfOrphan } from './expected.js'
import { Costs, keyOf, readQuotas, readUsage, settleExpired } from './ledger.js'
import type { Run } from './run.js'

/** What the ledger must have after a run. */
function expectedOf({ askers, orphans, model }: Run): Costs {
  const costs = new Costs()
  for (const orphan of orphans.all) costs.add(keyOf(orphan), costOfOrphan(orphan))
  for (const sent of askers.flatMap((asker) => asker.sent)) {
    if (orphans.sent.has(sent)) continue
    const { ask, username, request } = sent
    const { workspace: workspace_id, route } = ask
    const key = keyOf({ username, workspace_id, model: request.model, route })
    costs.add(key, costOf(sent, model.outcomeOf(request)))
  }
  return costs
}

/** Compares the ledger and the quotas with what the model sent. Returns the ledger. */
export async function checkLedger(run: Run): Promise<Costs> {
  const { product, model, askers } = run
  const problems = [...askers.flatMap((asker) => asker.problems), ...model.problems]
  assert.deepEqual(problems, [])
  await settleExpired(product)
  const isSettled = async () => (await product.query('select from ai_request')).length === 0
  await until(isSettled, 'the requests of killed processes to be settled')
  const expected = expectedOf(run).toObject()
  const usage = await readUsage(product)
  assert.deepEqual(usage.toObject(), expected)
  const used = new Map<string, number>()
  for (const [key, { input, output }] of Object.entries(expected)) {
    const workspace = key.split(' ')[1] ?? ''
    used.set(workspace, (used.get(workspace) ?? 0) + input + output)
  }
  for (const { workspace_id: id, ...quota } of await readQuotas(product)) {
    assert.deepEqual(quota, { used: used.get(id) ?? 0, reserved: 0 })
    used.delete(id)
  }
  assert.deepEqual([...used], [], 'workspaces without a quota')
  return usage
}
