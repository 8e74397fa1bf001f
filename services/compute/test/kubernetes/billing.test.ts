import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parsePeriod } from '@figbase/kit/text'
import { Lifecycle } from '@figbase/proto/compute'
import { sumByTier } from '../../src/queries/runs.js'
import { ann, start } from '../test-service.js'
import { openKubernetes } from './harness.js'

test('an instance is launched, fails, is started again, stopped and terminated, and billed to the second', async () => {
  await using cluster = await openKubernetes()
  const { server, driver } = cluster
  let now = Date.parse('2027-02-10T00:00:00Z')
  server.now = () => now
  await using at = await start({ driver, env: { COMPUTE_RETRY_DELAY: '0s' } })
  const lifecycle = async (id: string) => {
    const { instance } = await at.compute.getInstance({ id }, ann)
    return Lifecycle[instance?.lifecycle ?? 0]
  }
  const becomes = async (id: string, wanted: string) => {
    for (let count = 0; (await lifecycle(id)) !== wanted; count++) {
      assert.ok(count < 1000, `${id} is ${await lifecycle(id)}, not ${wanted}`)
      await at.round()
      await sleep(5)
    }
  }
  const { id } = await at.launch()
  await becomes(id, 'RUNNING')
  now += 100_000
  await at.round()
  server.kubelet.crash(id, 1)
  const begun = () => server.kubelet.runs.length
  while (begun() < 2) {
    await at.round()
    await sleep(5)
  }
  await becomes(id, 'RUNNING')
  now += 77_000
  await at.compute.stopInstance({ id }, ann)
  await becomes(id, 'STOPPED')
  now += 1_000_000
  await at.compute.startInstance({ id }, ann)
  await becomes(id, 'RUNNING')
  now += 23_000
  await at.compute.terminateInstance({ id }, ann)
  await becomes(id, 'TERMINATED')
  const rows = await sumByTier(at.ctx.db, { column: 'instance_id', id }, parsePeriod('2027-02'))
  assert.deepEqual(rows, [{ tier: 'small', used_ms: 200_000n }])
  assert.deepEqual(server.kubelet.doubles, [])
  assert.deepEqual(server.store.list('persistentvolumeclaims'), [])
})
