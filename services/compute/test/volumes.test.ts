import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lifecycle } from '@figbase/proto/compute'
import { sql } from 'kysely'
import { ann, bob, type Started, start } from './test-service.js'

const kept = { COMPUTE_VOLUME_RETENTION: '7d' }

const hasVolume = ({ machines }: Started, id: string) => machines.known.has(id)

async function stateOf({ compute }: Started, id: string) {
  const { instance } = await compute.getInstance({ id }, ann)
  return [Lifecycle[instance?.lifecycle ?? 0], instance?.statusDetail]
}

async function kindsOf({ compute }: Started, id: string) {
  const { events } = await compute.listInstanceEvents({ id }, ann)
  return events.map(({ kind }) => kind).reverse()
}

/** The time of the retention has passed. */
const pass = ({ ctx }: Started) =>
  sql`update instance set removes_on = removes_on - interval '7 days'`.execute(ctx.db)

test('the volume of a terminated instance is deleted after the retention', async () => {
  await using at = await start({ env: kept })
  const { id } = await at.launch(bob)
  await at.settle()
  await at.compute.terminateInstance({ id }, bob)
  await at.settle()
  const [lifecycle, detail] = await stateOf(at, id)
  assert.equal(lifecycle, 'TERMINATED')
  assert.match(detail ?? '', /^Its files are deleted at 20/)
  assert.ok(hasVolume(at, id))
  assert.equal(at.machines.observe()[0]?.state, 'stopped')
  assert.equal(at.peers.apiKeys.size, 0)
  assert.equal(await at.round(), false, 'the reconciler does not look after it meanwhile')
  await pass(at)
  assert.equal(await at.round(), true)
  await at.settle()
  assert.ok(!hasVolume(at, id))
  assert.deepEqual(await stateOf(at, id), ['TERMINATED', ''])
  assert.deepEqual((await kindsOf(at, id)).slice(-3), ['terminate', 'run_stopped', 'removed'])
  assert.equal(await at.round(), false)
})

test('a stopped instance is terminated at once, and its volume kept', async () => {
  await using at = await start({ env: kept })
  const { id } = await at.launch(bob)
  await at.settle()
  await at.compute.stopInstance({ id }, bob)
  await at.settle()
  const { instance } = await at.compute.terminateInstance({ id }, bob)
  assert.equal(instance?.lifecycle, Lifecycle.TERMINATED)
  await at.settle()
  assert.ok(hasVolume(at, id))
  // A start that was late takes effect: it is stopped, and the volume is still kept.
  const { spec } = at.machines.runs[0] ?? assert.fail()
  at.machines.start({ ...spec, runId: at.ctx.newOrderedId() })
  await at.settle()
  assert.deepEqual((await stateOf(at, id))[0], 'TERMINATED')
  assert.equal(at.machines.observe()[0]?.state, 'stopped')
  assert.ok(hasVolume(at, id))
  await pass(at)
  await at.settle()
  assert.ok(!hasVolume(at, id))
})
