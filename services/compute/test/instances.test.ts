import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { ApiKeyAccess } from '@figbase/proto/common'
import { Health, Lifecycle } from '@figbase/proto/compute'
import { ann, bob, cleo, eve, failureOf, nobody, start, vera } from './test-service.js'

const missing = { code: Code.NotFound, error: 'not_found', fields: [] }
const refused = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const unknown = { code: Code.Unauthenticated, error: 'not_authenticated', fields: [] }
const conflict = (error: string) => ({ code: Code.FailedPrecondition, error, fields: [] })
const invalid = (...fields: string[]) => ({
  code: Code.InvalidArgument,
  error: 'invalid_request',
  fields,
})

test('an instance is launched, runs, stops, starts again and is terminated', async () => {
  await using at = await start({ transport: 'http2' })
  const launched = await at.launch(bob)
  const { id } = launched
  assert.equal(launched.lifecycle, Lifecycle.PENDING)
  assert.deepEqual([launched.owner, launched.tier, launched.dataVolumeGb], ['bob', 'small', 10])
  assert.ok(launched.canOperate && launched.canConnect && launched.canTerminate)
  await at.settle()
  const { instance: running } = await at.compute.getInstance({ id }, bob)
  assert.equal(running?.lifecycle, Lifecycle.RUNNING)
  assert.equal(running?.health, Health.HEALTHY)
  assert.equal(running?.userFacingStatus, 'Running')
  assert.ok(running?.runningSince && running.idleSeconds !== undefined)
  const { heartbeat } = await at.compute.getHeartbeat({ id }, bob)
  assert.deepEqual([heartbeat?.jupyterUp, heartbeat?.memPct], [true, 20])

  const stopping = await at.compute.stopInstance({ id }, bob)
  assert.equal(stopping.instance?.lifecycle, Lifecycle.STOPPING)
  assert.deepEqual(
    await failureOf(at.compute.startInstance({ id }, bob)),
    conflict('instance_stopping'),
  )
  await at.settle()
  assert.equal((await at.compute.getInstance({ id }, bob)).instance?.lifecycle, Lifecycle.STOPPED)
  await at.compute.startInstance({ id }, bob)
  await at.settle()
  assert.equal(at.machines.runs.length, 2)
  const ending = await at.compute.terminateInstance({ id }, bob)
  assert.equal(ending.instance?.userFacingStatus, 'Terminating')
  await at.settle()
  const { instance: over } = await at.compute.getInstance({ id }, bob)
  assert.equal(over?.lifecycle, Lifecycle.TERMINATED)
  assert.ok(!over?.canOperate && !over?.canConnect && !over?.canTerminate)
  assert.equal(at.machines.known.size, 0)
  const { instances } = await at.compute.listInstances({ workspaceId: at.peers.workspaceId }, bob)
  assert.deepEqual(instances, [])
  const { events } = await at.compute.listInstanceEvents({ id }, bob)
  assert.deepEqual(events.map(({ kind, actor }) => `${kind} ${actor}`.trim()).reverse(), [
    'launch bob',
    'run_running',
    'stop bob',
    'run_stopped',
    'start bob',
    'run_running',
    'terminate bob',
    'run_stopped',
    'removed',
  ])
})

test('each event of an instance is published with the change, and only then', async () => {
  await using at = await start()
  const { id } = await at.launch(bob)
  await at.settle()
  await at.compute.stopInstance({ id }, ann)
  await at.settle()
  await at.compute.stopInstance({ id }, ann)
  assert.deepEqual(await failureOf(at.compute.stopInstance({ id }, vera)), refused)
  const { events } = await at.compute.listInstanceEvents({ id }, vera)
  const published = await at.published()
  assert.deepEqual(
    published.map(({ actor, change: { kind, lifecycle, detail, at } }) => {
      return { kind, lifecycle, detail, actor, at }
    }),
    events.reverse().map(({ $typeName: _, ...event }) => event),
  )
  for (const { change } of published) {
    const { instanceId, workspaceId, name } = change
    assert.deepEqual([instanceId, workspaceId, name], [id, at.peers.workspaceId, 'Spring'])
  }
})

test('the notebook gets a key of its owner, which is deleted when it stops', async () => {
  await using at = await start()
  const { id } = await at.launch(bob)
  await at.settle()
  const [key] = at.peers.apiKeys.values()
  assert.deepEqual([key?.owner, key?.workspaceId], ['bob', at.peers.workspaceId])
  const { environment, token } = at.machines.runs[0]?.spec ?? {}
  assert.equal(environment?.GF_WORKSPACE, at.peers.workspaceId)
  assert.match(environment?.GF_API_KEY ?? '', /^secret of /)
  assert.ok((token?.length ?? 0) >= 32)
  const row = await at.ctx.db.selectFrom('instance').select('secrets_sealed').executeTakeFirst()
  assert.ok(!row?.secrets_sealed.toString('latin1').includes('secret of'))
  await at.compute.stopInstance({ id }, bob)
  at.peers.failures.push(new Error('identity is down'))
  await at.settle()
  assert.equal(at.peers.apiKeys.size, 0)
  await at.compute.startInstance({ id }, bob)
  await at.settle()
  assert.equal(at.peers.apiKeys.size, 1)
  assert.notEqual(at.machines.runs[1]?.spec.token, token)
})

test('the owner and managers operate, members see, and nobody else learns of an instance', async () => {
  await using at = await start()
  const { id } = await at.launch(bob)
  await at.settle()
  const rights = async (by: typeof ann) => {
    const { instance } = await at.compute.getInstance({ id }, by)
    return [instance?.canOperate, instance?.canConnect, instance?.canTerminate]
  }
  assert.deepEqual(await rights(bob), [true, true, true])
  assert.deepEqual(await rights(ann), [true, false, true])
  assert.deepEqual(await rights(cleo), [false, false, false])
  assert.deepEqual(await rights(vera), [false, false, false])
  for (const by of [cleo, vera]) {
    assert.deepEqual(await failureOf(at.compute.stopInstance({ id }, by)), refused)
    assert.deepEqual(await failureOf(at.compute.updateInstance({ id, name: 'x' }, by)), refused)
  }
  assert.deepEqual(await failureOf(at.launch(vera)), refused)
  const calls = [
    at.compute.getInstance,
    at.compute.stopInstance,
    at.compute.listInstanceEvents,
    at.compute.getHeartbeat,
  ]
  for (const call of calls) {
    assert.deepEqual(await failureOf(call({ id }, eve)), missing)
    assert.deepEqual(await failureOf(call({ id: randomUUID() }, ann)), missing)
    assert.deepEqual(await failureOf(call({ id: 'x' }, ann)), missing)
    assert.deepEqual(await failureOf(call({ id }, nobody)), unknown)
  }
  const publish = actAs(userWithKey('bob', '', ApiKeyAccess.PUBLISH))
  assert.deepEqual(await rights(publish), [false, false, false])
  assert.equal(
    (await failureOf(at.compute.stopInstance({ id }, publish))).error,
    'insufficient_key_access',
  )
})

test('a launch names each wrong member and leaves nothing', async () => {
  await using at = await start()
  at.peers.terms.maxDataVolumeGb = 20
  const wrong = { name: ' ', tier: 'huge', dataVolumeGb: 21 }
  assert.deepEqual(
    await failureOf(at.launch(ann, wrong)),
    invalid('name', 'tier', 'data_volume_gb'),
  )
  assert.deepEqual(await failureOf(at.launch(ann, { dataVolumeGb: 0 })), invalid('data_volume_gb'))
  assert.deepEqual(await failureOf(at.launch(ann, { name: 'a\0' })), invalid('name'))
  const rows = await at.ctx.db.selectFrom('instance').select('id').execute()
  assert.deepEqual(rows, [])
})

test('an instance is renamed, and its idle shutdown changed within the plan', async () => {
  await using at = await start()
  Object.assign(at.peers.terms, { idleShutdownRequired: true, maxIdleSeconds: 600 })
  const { id, idleShutdownSeconds } = await at.launch()
  assert.equal(idleShutdownSeconds, 600)
  const changes = { id, name: ' Summer ', idleShutdownSeconds: 1 }
  const { instance } = await at.compute.updateInstance(changes, ann)
  assert.deepEqual([instance?.name, instance?.idleShutdownSeconds], ['Summer', 1])
  const failure = (more: object) => failureOf(at.compute.updateInstance({ id, ...more }, ann))
  assert.deepEqual(await failure({ idleShutdownEnabled: false }), invalid('idle_shutdown_enabled'))
  assert.deepEqual(await failure({ idleShutdownSeconds: 601 }), invalid('idle_shutdown_seconds'))
  assert.deepEqual(await failure({}), invalid(''))
  assert.deepEqual(await failure({ name: '' }), invalid('name'))
})

test('the tier changes only while the instance is stopped', async () => {
  await using at = await start()
  const { id } = await at.launch()
  await at.settle()
  const change = (tier: string) => at.compute.changeTier({ id, tier }, ann)
  assert.deepEqual(await failureOf(change('large')), conflict('instance_not_stopped'))
  await at.compute.stopInstance({ id }, ann)
  assert.deepEqual(await failureOf(change('large')), conflict('instance_not_stopped'))
  await at.settle()
  assert.equal((await change('large')).instance?.tier, 'large')
  assert.deepEqual(await failureOf(change('huge')), invalid('tier'))
  await at.compute.startInstance({ id }, ann)
  await at.settle()
  assert.equal(at.machines.runs[1]?.spec.memoryBytes, 16 * 2 ** 30)
  await at.compute.terminateInstance({ id }, ann)
  assert.deepEqual(await failureOf(change('small')), conflict('instance_terminated'))
  const started = at.compute.startInstance({ id }, ann)
  assert.deepEqual(await failureOf(started), conflict('instance_terminated'))
})

test('commands may be repeated', async () => {
  await using at = await start()
  const { id } = await at.launch()
  for (const call of [
    at.compute.startInstance,
    at.compute.stopInstance,
    at.compute.terminateInstance,
  ]) {
    const { instance } = await call({ id }, ann)
    assert.deepEqual((await call({ id }, ann)).instance, instance)
    if (call === at.compute.stopInstance) await at.settle()
  }
})

test('without a driver, launch options say why, and a launch is refused', async () => {
  await using at = await start({ driver: null })
  const { workspaceId } = at.peers
  const options = await at.compute.getLaunchOptions({ workspaceId }, ann)
  assert.deepEqual([options.canLaunch, options.reason], [false, 'compute_unavailable'])
  assert.match(options.reasonDetail, /switched off/)
  const failure = { code: Code.Unavailable, error: 'compute_unavailable', fields: [] }
  assert.deepEqual(await failureOf(at.launch()), failure)
})

test('launch options are those of the plan', async () => {
  await using at = await start()
  const { workspaceId } = at.peers
  Object.assign(at.peers.terms, { computeMaxRunningInstances: 1, maxDataVolumeGb: 5 })
  const before = await at.compute.getLaunchOptions({ workspaceId }, bob)
  assert.deepEqual([before.canLaunch, before.defaultTier], [true, 'small'])
  assert.deepEqual([before.defaultDataVolumeGb, before.maxDataVolumeGb], [5, 5])
  await at.launch()
  const full = await at.compute.getLaunchOptions({ workspaceId }, bob)
  assert.deepEqual([full.reason, full.runningInstances], ['compute_max_running_instances', 1])
  const failure = { code: Code.PermissionDenied, fields: [] }
  assert.deepEqual(await failureOf(at.launch()), {
    ...failure,
    error: 'compute_max_running_instances',
  })
  at.peers.terms = { computeEnabled: false }
  assert.deepEqual(await failureOf(at.launch()), { ...failure, error: 'compute_enabled' })
  assert.equal(
    (await at.compute.getLaunchOptions({ workspaceId }, vera)).reason,
    'permission_denied',
  )
})

test('concurrent launches do not exceed the plan', async () => {
  await using at = await start()
  at.peers.terms.computeMaxRunningInstances = 2
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => at.launch()))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2)
})

test('lists are paged', async () => {
  await using at = await start({ env: { COMPUTE_INSTANCES_MAX: '3' } })
  const { workspaceId } = at.peers
  const ids = [(await at.launch()).id, (await at.launch()).id, (await at.launch()).id]
  assert.deepEqual(await failureOf(at.launch()), conflict('too_many_instances'))
  const first = await at.compute.listInstances({ workspaceId, pageSize: 2 }, vera)
  const { nextPageToken: pageToken } = first
  const rest = await at.compute.listInstances({ workspaceId, pageSize: 2, pageToken }, vera)
  const listed = [...first.instances, ...rest.instances].map(({ id }) => id)
  assert.deepEqual(listed, ids.reverse())
  assert.equal(rest.nextPageToken, '')
})

test('the owner lists their instances, with terminated ones', async () => {
  await using at = await start({ env: { COMPUTE_VOLUME_RETENTION: '7d' } })
  const { workspaceId } = at.peers
  const first = await at.launch(bob)
  await at.settle()
  await at.compute.terminateInstance({ id: first.id }, bob)
  const second = await at.launch(bob)
  await at.launch(ann)
  const page = await at.compute.listOwnInstances({ pageSize: 1 }, bob)
  const { nextPageToken: pageToken } = page
  const rest = await at.compute.listOwnInstances({ pageSize: 1, pageToken }, bob)
  const listed = [...page.instances, ...rest.instances]
  assert.deepEqual(
    listed.map(({ id }) => id),
    [second.id, first.id],
  )
  assert.equal(rest.nextPageToken, '')
  assert.ok(listed.every((one) => !one.canOperate && !one.canConnect && !one.canTerminate))
  assert.deepEqual((await at.compute.listOwnInstances({}, eve)).instances, [])
  assert.deepEqual(await failureOf(at.compute.listOwnInstances({}, nobody)), unknown)
  const bound = actAs(userWithKey('bob', workspaceId, ApiKeyAccess.FULL))
  assert.deepEqual(await failureOf(at.compute.listOwnInstances({}, bound)), refused)
})
