import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOrderedId } from '@figbase/kit/ids'
import { newRun } from '../../src/drivers/contract.js'
import { AnotherRun } from '../../src/drivers/port.js'
import { openKubernetes } from './harness.js'
import { observed, signal, started, stateOf, until } from './waiting.js'

/** A cluster whose clock the test moves. */
async function openWithClock(change = {}) {
  const at = await openKubernetes(change)
  let now = Date.parse('2027-01-31T23:59:00Z')
  at.server.now = () => now
  const pass = (seconds: number) => {
    now += seconds * 1000
  }
  return Object.assign(at, { pass })
}

test('a slow start is starting, without a time, until it serves', async () => {
  await using at = await openWithClock()
  at.server.kubelet.pace = { scheduleMs: 30, pullMs: 60, readyMs: 60, stopMs: 5 }
  const spec = newRun()
  await at.driver.start(spec, signal)
  const first = await stateOf(at.driver, spec, 'starting')
  assert.deepEqual([first.startedAt, first.ranForMs, first.address], [undefined, 0, undefined])
  const began = await until(async () => {
    const found = await observed(at.driver, spec.instanceId)
    return found?.startedAt && found
  }, 'its container to begin')
  assert.equal(began.state, 'starting')
  at.pass(120)
  assert.match(
    (await stateOf(at.driver, spec, 'running')).address ?? '',
    /^http:\/\/127\.\d+\.\d+\.\d+:8888$/,
  )
})

test('what runs is counted with a delay, and what has ended exactly', async () => {
  await using at = await openWithClock()
  const spec = await started(at.driver)
  at.pass(100)
  assert.equal((await observed(at.driver, spec.instanceId))?.ranForMs, 40_000)
  await at.driver.stop(spec, signal)
  const { ranForMs, startedAt } = await stateOf(at.driver, spec, 'stopped')
  assert.deepEqual([ranForMs, startedAt], [100_000, new Date('2027-01-31T23:59:00Z')])
  at.pass(1000)
  assert.equal((await observed(at.driver, spec.instanceId))?.ranForMs, 100_000)
  const next = { ...newRun(), instanceId: spec.instanceId }
  at.server.kubelet.pace.pullMs = 60_000
  await at.driver.start(next, signal)
  assert.equal((await observed(at.driver, spec.instanceId))?.runId, next.runId)
})

test('a pod that somebody deletes is kept until its end is recorded', async () => {
  await using at = await openWithClock()
  const spec = await started(at.driver)
  at.pass(90)
  at.server.store.delete('pods', `notebook-${spec.instanceId}`)
  const seen = await stateOf(at.driver, spec, 'failed')
  assert.match(seen.detail, /ended from outside/)
  assert.equal(seen.ranForMs, 90_000)
  // The next run cannot be scheduled: the end of the last one is still known.
  at.server.quota = { 'requests.cpu': 0.5 }
  await assert.rejects(at.driver.start({ ...spec, runId: newOrderedId() }, signal))
  assert.deepEqual(at.server.store.list('pods'), [])
  assert.deepEqual(await observed(at.driver, spec.instanceId), seen)
})

test('how a notebook server ended by itself', async () => {
  await using at = await openKubernetes()
  const ends = [
    { code: 0, reason: 'Completed', state: 'stopped', detail: /^$/ },
    { code: 1, reason: 'Error', state: 'failed', detail: /The notebook server ended: Error/ },
    { code: 137, reason: 'OOMKilled', state: 'failed', detail: /more memory than its size/ },
  ] as const
  for (const { code, reason, state, detail } of ends) {
    const spec = await started(at.driver)
    at.server.kubelet.crash(spec.instanceId, code, reason)
    assert.match((await stateOf(at.driver, spec, state)).detail, detail)
  }
})

test('a pod on a lost node counts as running until the cluster gives it up, and only until it was lost', async () => {
  await using at = await openWithClock()
  const spec = await started(at.driver)
  at.pass(200)
  at.server.kubelet.loseNode(spec.instanceId)
  at.pass(500)
  const lost = await observed(at.driver, spec.instanceId)
  assert.deepEqual([lost?.state, lost?.ranForMs], ['running', 200_000])
  const next = { ...newRun(), instanceId: spec.instanceId }
  await assert.rejects(at.driver.start(next, signal), AnotherRun)
  at.server.kubelet.removeNode(spec.instanceId)
  const { ranForMs, detail } = await stateOf(at.driver, spec, 'failed')
  assert.equal(ranForMs, 200_000)
  assert.match(detail, /node no longer exists/)
  await at.driver.start(next, signal)
  await stateOf(at.driver, next, 'running')
})

test('a node that forgets when a container began changes nothing', async () => {
  await using at = await openWithClock()
  const spec = await started(at.driver)
  const { startedAt } = (await observed(at.driver, spec.instanceId)) ?? {}
  at.pass(70)
  const terminated = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    startedAt: null,
    finishedAt: null,
  }
  at.server.kubelet.loseNode(spec.instanceId)
  at.server.store.setStatus(`notebook-${spec.instanceId}`, {
    phase: 'Failed',
    containerStatuses: [{ name: 'notebook', state: { terminated } }],
  })
  const seen = await stateOf(at.driver, spec, 'failed')
  assert.deepEqual([seen.startedAt, seen.ranForMs], [startedAt, 70_000])
})

test('an image that cannot be pulled and a full cluster are told when the start times out', async () => {
  await using at = await openWithClock({ startTimeoutMs: 300_000 })
  const { kubelet } = at.server
  const why = async (pattern: RegExp) => {
    const spec = newRun()
    await at.driver.start(spec, signal)
    await until(
      async () => pattern.test((await observed(at.driver, spec.instanceId))?.detail ?? ''),
      String(pattern),
    )
    at.pass(299)
    await stateOf(at.driver, spec, 'starting')
    at.pass(1)
    const failed = await stateOf(at.driver, spec, 'failed')
    assert.match(failed.detail, pattern)
    assert.deepEqual([failed.startedAt, failed.ranForMs], [undefined, 0])
  }
  kubelet.badImages.add('notebook:1')
  await why(/^The image of notebooks cannot be pulled: Back-off pulling image "notebook:1"/)
  kubelet.badImages.clear()
  kubelet.full = '0/3 nodes are available: 3 Insufficient cpu.'
  await why(/^The cluster has no room for the notebook: 0\/3 nodes/)
  kubelet.full = ''
  kubelet.pace.readyMs = 60_000
  const spec = newRun()
  await at.driver.start(spec, signal)
  await until(async () => (await observed(at.driver, spec.instanceId))?.startedAt, 'it to begin')
  at.pass(301)
  const { detail, ranForMs } = await stateOf(at.driver, spec, 'failed')
  assert.match(detail, /did not start in time/)
  assert.equal(ranForMs, 301_000, 'its container ran')
})

test('a pod whose finalizer was removed is gone, and its run does not begin again', async () => {
  await using at = await openKubernetes()
  const spec = await started(at.driver)
  const pod = at.server.store.get('pods', `notebook-${spec.instanceId}`)
  at.server.store.update('pods', { ...pod, metadata: { ...pod.metadata, finalizers: [] } })
  at.server.store.delete('pods', pod.metadata.name, {}, 0)
  assert.match((await stateOf(at.driver, spec, 'failed')).detail, /removed from outside/)
  await at.driver.start(spec, signal)
  await stateOf(at.driver, spec, 'failed')
  assert.equal(at.server.kubelet.runs.length, 1)
})

test('a run whose record was deleted is seen, stopped and followed by another one', async () => {
  await using at = await openKubernetes()
  const spec = await started(at.driver)
  at.server.store.delete('configmaps', `notebook-${spec.instanceId}`)
  await at.driver.stop(spec, signal)
  await stateOf(at.driver, spec, 'stopped')
  await at.driver.start(spec, signal)
  await stateOf(at.driver, spec, 'stopped')
  const next = { ...newRun(), instanceId: spec.instanceId }
  await at.driver.start(next, signal)
  await stateOf(at.driver, next, 'running')
})
