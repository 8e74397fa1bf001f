import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lifecycle } from '@figbase/proto/compute'
import { sql } from 'kysely'
import { purgeDeleted } from '../src/jobs/purge-deleted.js'
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

test('a terminated instance counts in its workspace until its files are deleted', async () => {
  await using at = await start({ env: { ...kept, COMPUTE_INSTANCES_MAX: '2' } })
  const { id } = await at.launch(bob)
  await at.settle()
  await at.compute.terminateInstance({ id }, bob)
  await at.launch(bob)
  await at.settle()
  await assert.rejects(at.launch(bob), (error: Error) => {
    assert.match(error.message, /has 2 instances, .+; terminated ones \(1\) count/)
    return true
  })
  await pass(at)
  await at.settle()
  await at.launch(bob)
})

const purge = ({ ctx }: Started) => purgeDeleted.run(ctx, {}, new AbortController().signal, 1)

async function rowsOf({ ctx: { db } }: Started) {
  const count = async (table: 'instance' | 'instance_event' | 'run') =>
    (await db.selectFrom(table).selectAll().execute()).length
  return [await count('instance'), await count('instance_event'), await count('run')]
}

/** What is counted of a workspace. */
async function gbOf({ compute, peers }: Started) {
  const of = { case: 'workspaceId' as const, value: peers.workspaceId }
  return (await compute.getUsage({ of }, ann)).dataVolumeGb
}

/** Three instances of bob: one runs, one has stopped, one is terminated and its volume kept. */
async function launchThree(at: Started) {
  const ids = []
  for (let index = 0; index < 3; index++) ids.push((await at.launch(bob)).id)
  const [, stopped = '', terminated = ''] = ids
  await at.settle()
  await at.compute.stopInstance({ id: stopped }, bob)
  await at.compute.terminateInstance({ id: terminated }, bob)
  await at.settle()
  assert.equal(at.machines.known.size, 3)
}

test('a workspace that cannot be restored loses its instances, volumes and rows', async () => {
  await using at = await start({ env: kept })
  await launchThree(at)
  await purge(at)
  await at.settle()
  assert.equal(at.machines.known.size, 3, 'nothing is deleted yet')
  assert.equal(await gbOf(at), 30n)
  // Outside any organization, so that nobody sees the bill any more.
  await sql`update run set holder_id = workspace_id`.execute(at.ctx.db)
  at.peers.isPurged = true
  await purge(at)
  await at.settle()
  assert.equal(at.machines.known.size, 0)
  assert.equal(await gbOf(at), 0n)
  assert.equal(at.peers.apiKeys.size, 0)
  assert.equal((await rowsOf(at))[0], 3)
  await purge(at)
  assert.deepEqual(await rowsOf(at), [0, 0, 0])
  await purge(at)
})

test('what an organization pays for outlives the workspace', async () => {
  await using at = await start({ env: kept })
  await launchThree(at)
  at.peers.isPurged = true
  const { organizationId: value } = at.peers
  const usage = async () => {
    const of = { case: 'organizationId' as const, value }
    return (await at.compute.getUsage({ of }, ann)).instances.map(({ instanceId }) => instanceId)
  }
  const before = await usage()
  for (let rounds = 0; rounds < 3; rounds++) {
    await purge(at)
    await at.settle()
  }
  assert.equal(at.machines.known.size, 0)
  assert.deepEqual(await rowsOf(at), [3, 0, 3])
  assert.deepEqual(await usage(), before)
})

test('the instances of a deleted user are terminated, and their volumes deleted', async () => {
  await using at = await start({ env: kept })
  await launchThree(at)
  const { id } = await at.launch(ann)
  at.peers.deletedUsers.add('bob')
  await purge(at)
  await at.settle()
  // That of the terminated one is kept for its time.
  assert.equal(at.machines.known.size, 2)
  const { workspaceId } = at.peers
  const { instances } = await at.compute.listInstances({ workspaceId }, ann)
  assert.deepEqual(
    instances.map((instance) => instance.id),
    [id],
  )
})
