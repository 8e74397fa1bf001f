import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newRun } from '../../src/drivers/contract.js'
import { kubeconfigOf, openKubernetes } from './harness.js'
import { StatusError } from './status-error.js'
import { observed, reasonOf, signal, stateOf, until } from './waiting.js'

const gb = 2 ** 30

test('a full quota is told to the owner, nothing is left, and the same run starts when there is room', async () => {
  await using at = await openKubernetes()
  at.server.quota = { 'requests.cpu': 1.5 }
  const [first, second] = [newRun(), newRun()]
  await at.driver.start(first, signal)
  const reason = await reasonOf(at.driver.start(second, signal))
  assert.match(reason, /^The quota of the cluster is exhausted: .*requested: requests.cpu=1/)
  assert.equal(await observed(at.driver, second.instanceId), undefined)
  await at.driver.stop(first, signal)
  await stateOf(at.driver, first, 'stopped')
  await at.driver.start(second, signal)
  await stateOf(at.driver, second, 'running')
})

test('without room for its volume, a run does not begin, and reserves nothing', async () => {
  await using at = await openKubernetes()
  at.server.quota = { 'requests.storage': gb }
  const spec = { ...newRun(), volumeBytesMax: 2 * gb }
  assert.match(await reasonOf(at.driver.start(spec, signal)), /quota of the cluster is exhausted/)
  assert.deepEqual(at.server.store.list('pods'), [])
  await until(
    async () => at.server.store.list('secrets').length === 0,
    'its secret to be collected',
  )
})

test('a refused run that is stopped has failed for this reason, and is removed without a rest', async () => {
  await using at = await openKubernetes()
  at.server.quota = { 'requests.storage': gb }
  const spec = { ...newRun(), volumeBytesMax: 2 * gb }
  await reasonOf(at.driver.start(spec, signal))
  await at.driver.stop(spec, signal)
  const { detail, startedAt, ranForMs } = await stateOf(at.driver, spec, 'failed')
  assert.match(detail, /quota of the cluster/)
  assert.deepEqual([startedAt, ranForMs], [undefined, 0])
  at.server.quota = {}
  await at.driver.start(spec, signal)
  await stateOf(at.driver, spec, 'failed')
  await at.driver.remove(spec.instanceId, signal)
  assert.equal(await observed(at.driver, spec.instanceId), undefined)
  await until(async () => everything(at.server).length === 0, 'all to be deleted')
})

const everything = ({ store }: Awaited<ReturnType<typeof openKubernetes>>['server']) =>
  [
    'configmaps',
    'pods',
    'secrets',
    'services',
    'networkpolicies',
    'persistentvolumeclaims',
  ].flatMap(store.list)

test('after a removal, nothing of a run that served is left', async () => {
  await using at = await openKubernetes()
  const spec = newRun()
  await at.driver.start(spec, signal)
  await stateOf(at.driver, spec, 'running')
  assert.equal(everything(at.server).length, 6)
  await at.driver.remove(spec.instanceId, signal)
  assert.equal(await observed(at.driver, spec.instanceId), undefined)
  await until(async () => everything(at.server).length === 0, 'all to be deleted')
})

test('a cluster that cannot be reached, refuses the credentials or fails is no reason to think that all is gone', async () => {
  await using at = await openKubernetes()
  const spec = newRun()
  const calls = (driver = at.open()) => [
    driver.start(spec, signal),
    driver.stop(spec, signal),
    driver.remove(spec.instanceId, signal),
    driver.observe(signal),
    driver.measure(spec.instanceId, signal),
  ]
  at.server.interfere = () => {
    throw new StatusError(500, 'InternalError', 'etcdserver: leader changed')
  }
  for (const call of calls())
    assert.match(await reasonOf(call), /overloaded or has failed: etcdserver/)
  at.server.interfere = () => {
    throw new Error('the connection is cut')
  }
  for (const call of calls()) assert.match(await reasonOf(call), /cannot be reached/)
  await writeFile(at.kubeconfig, kubeconfigOf(at.server.url, 'another'))
  for (const call of calls())
    assert.match(await reasonOf(call), /refuses the credentials of Figbase/)
  await writeFile(at.kubeconfig, kubeconfigOf('http://127.0.0.1:1'))
  for (const call of calls()) assert.match(await reasonOf(call), /cannot be reached/)
  await rm(at.kubeconfig)
  for (const call of calls()) assert.match(await reasonOf(call), /KUBECONFIG cannot be read/)
  await writeFile(at.kubeconfig, '')
})

test('tells why nothing can be launched', async () => {
  await using at = await openKubernetes()
  const why = (change = {}) => at.open(change).unavailableReason()
  assert.equal(await why(), undefined)
  assert.deepEqual(at.server.store.list('pods'), [], 'it was only tried')
  assert.match((await why({ namespace: 'missing' })) ?? '', /namespaces "missing" not found/)
  assert.match((await why({ uid: 0 })) ?? '', /violates PodSecurity "restricted/)
  assert.match((await why({ kubeconfig: '' })) ?? '', /does not run in a Kubernetes cluster/)
  at.server.forbidden.add('create pods')
  assert.match((await why()) ?? '', /does not permit it: pods is forbidden/)
  at.server.forbidden.clear()
  at.server.quota = { 'requests.cpu': 0.05 }
  assert.match((await why()) ?? '', /quota of the cluster is exhausted/)
  at.server.quota = {}
  at.server.interfere = () => sleep(60_000, undefined, { ref: false })
  const driver = at.open()
  const asked = performance.now()
  assert.match((await driver.unavailableReason()) ?? '', /did not respond in time/)
  assert.ok(performance.now() - asked < 9000)
  at.server.interfere = () => {}
  assert.ok(await driver.unavailableReason(), 'for a moment, the last reason is repeated')
})

test('a call ends soon after it was aborted, and what it sent does no harm', async () => {
  await using at = await openKubernetes()
  let isHanging = true
  at.server.interfere = async () => {
    while (isHanging) await sleep(5)
  }
  const spec = newRun()
  const calls = [
    (driver: typeof at.driver, signal: AbortSignal) => driver.start(spec, signal),
    (driver: typeof at.driver, signal: AbortSignal) => driver.stop(spec, signal),
    (driver: typeof at.driver, signal: AbortSignal) => driver.remove(spec.instanceId, signal),
    (driver: typeof at.driver, signal: AbortSignal) => driver.observe(signal),
    (driver: typeof at.driver, signal: AbortSignal) => driver.measure(spec.instanceId, signal),
  ]
  for (const call of calls) {
    const controller = new AbortController()
    const ended = assert.rejects(call(at.driver, controller.signal), /enough/)
    await sleep(20)
    const aborted = performance.now()
    controller.abort(new Error('enough'))
    await ended
    assert.ok(performance.now() - aborted < 500)
  }
  isHanging = false
  await at.driver.start(spec, signal)
  await stateOf(at.driver, spec, 'running')
})
