import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openKubernetes } from './harness.js'
import { signal, started, until } from './waiting.js'

const longMs = 60_000

/** How long it takes until the driver tells of a change. */
async function told(
  driver: Awaited<ReturnType<typeof openKubernetes>>['driver'],
  change: () => unknown,
) {
  await driver.observe(signal)
  // Nothing of before is left to be told.
  for (let quiet = false; !quiet; ) {
    const since = performance.now()
    await driver.changed?.(500, signal)
    quiet = performance.now() - since > 450
    await driver.observe(signal)
  }
  const changed = driver.changed?.(longMs, signal)
  await sleep(10)
  const since = performance.now()
  await change()
  await changed
  return performance.now() - since
}

test('a change of a pod is told at once, after interruptions and gaps, too', async () => {
  await using at = await openKubernetes()
  const spec = await started(at.driver)
  const { server } = at
  const change = () => {
    const pod = server.store.get('pods', `notebook-${spec.instanceId}`)
    const annotations = { ...pod.metadata.annotations, changed: `${performance.now()}` }
    server.store.update('pods', { ...pod, metadata: { ...pod.metadata, annotations } })
  }
  assert.ok((await told(at.driver, change)) < 2000)
  const changeAfter = async (gap: () => void) => {
    gap()
    await until(async () => server.watchers === 1, 'the watch to go on')
    change()
  }
  for (const gap of [() => server.interruptWatches(), () => server.compact()]) {
    assert.ok((await told(at.driver, () => changeAfter(gap))) < 5000)
  }
})

test('without changes, it is told when the time is over; an aborted wait ends', async () => {
  await using at = await openKubernetes()
  await at.driver.observe(signal)
  for (let count = 0; count < 3; count++) {
    await at.driver.changed?.(300, signal)
    await at.driver.observe(signal)
  }
  const since = performance.now()
  await at.driver.changed?.(600, signal)
  assert.ok(performance.now() - since > 550)
  const controller = new AbortController()
  const waits = at.driver.changed?.(longMs, controller.signal)
  await sleep(250)
  controller.abort(new Error('enough'))
  await assert.rejects(async () => waits, /enough/)
})

test('a watch that is refused only makes changes late', async () => {
  await using at = await openKubernetes()
  at.server.forbidden.add('watch pods')
  await started(at.driver)
  const since = performance.now()
  await at.driver.changed?.(1500, signal)
  await at.driver.observe(signal)
  await at.driver.changed?.(1500, signal)
  assert.ok(performance.now() - since < 4000)
})
