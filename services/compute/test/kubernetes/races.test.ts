import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId, newOrderedId } from '@figbase/kit/ids'
import { seededRandom } from '@figbase/kit/testing'
import { newRun } from '../../src/drivers/contract.js'
import { AnotherRun, DriverFailed, isAlive, type RunRef } from '../../src/drivers/port.js'
import { type KubernetesHarness, openKubernetes } from './harness.js'
import { changed, conflict } from './status-error.js'
import { started } from './waiting.js'

const seeds = [1, 2, 3, 4]
const instancesCount = 3
const callers = 4
const stepsOfCaller = 12
/** A millisecond of the test is a second of the cluster, because Kubernetes writes times in seconds. */
const speed = 1000
const { signal: never } = new AbortController()

for (const seed of seeds) {
  test(`processes race, with late and lost requests, seed ${seed}`, async () => {
    await using at = await openKubernetes({ startTimeoutMs: 1e9 })
    const random = seededRandom(seed)
    const chance = (part: number) => random() < part
    const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)] as T
    const beganAt = performance.now()
    at.server.now = () => Date.parse('2027-01-01') + (performance.now() - beganAt) * speed
    const withRemovals = seed % 3 === 0
    // One runs in any case.
    const first: RunRef = await started(at.driver)
    const runs = [first]
    const more = Array.from({ length: instancesCount - 1 }, newId)
    const instances = [first.instanceId, ...more]
    at.server.interfere = interference(at, chance, random)
    const stopped: { run: RunRef; at: number }[] = []
    const billed = new Map<string, number>()

    async function command(driver: KubernetesHarness['driver']) {
      const instanceId = pick(instances)
      const own = runs.filter((run) => run.instanceId === instanceId)
      const what = random()
      // Some callers give up, and what they sent arrives all the same.
      const giveUp = new AbortController()
      const timer = setTimeout(
        () => giveUp.abort(new Error('gave up')),
        chance(0.3) ? 20 * random() : 5000,
      )
      const { signal } = giveUp
      try {
        if (what < 0.4) {
          const run =
            chance(0.5) && own.length > 0 ? pick(own) : { instanceId, runId: newOrderedId() }
          if (!runs.includes(run)) runs.push(run)
          await driver.start({ ...newRun(), ...run }, signal)
        } else if (what < 0.65) {
          const run = own.length > 0 ? pick(own) : { instanceId, runId: newOrderedId() }
          await driver.stop(run, signal)
          stopped.push({ run, at: at.server.now() })
        } else if (what < 0.7) at.server.kubelet.crash(instanceId, pick([0, 1]))
        else if (what < 0.75 && withRemovals) await driver.remove(instanceId, signal)
        else await look(driver, signal)
      } catch (error) {
        const isExpected =
          error instanceof AnotherRun || error instanceof DriverFailed || signal.aborted
        if (!isExpected) throw error
      } finally {
        clearTimeout(timer)
      }
    }

    /** What has ended has ended, and no run gets shorter. */
    async function look(driver: KubernetesHarness['driver'], signal: AbortSignal) {
      const known = new Map(billed)
      for (const seen of await driver.observe(signal)) {
        const isRunning = at.server.kubelet.runs.some(
          (run) => run.runId === seen.runId && run.endedAt === undefined,
        )
        assert.ok(isAlive(seen) || !isRunning, `${seen.runId} is ${seen.state}, and runs`)
        const before = known.get(seen.runId) ?? 0
        // Who removes an instance forgets its runs.
        assert.ok(
          withRemovals || seen.ranForMs >= before,
          `${before} ms shrank to ${seen.ranForMs}`,
        )
        billed.set(seen.runId, Math.max(billed.get(seen.runId) ?? 0, seen.ranForMs))
      }
    }

    await Promise.all(
      Array.from({ length: callers }, async () => {
        const driver = at.open()
        for (let step = 0; step < stepsOfCaller; step++) {
          await command(driver)
          await sleep(20 * random())
        }
      }),
    )
    at.server.interfere = () => {}
    for (const run of runs) await at.driver.stop(run, never)
    const isAnyAlive = async () => (await at.driver.observe(never)).some(isAlive)
    while (await isAnyAlive()) await sleep(10)
    await look(at.driver, never)

    const { kubelet } = at.server
    assert.deepEqual(kubelet.doubles, [], 'two runs of an instance at a time')
    assert.ok(kubelet.runs.length > 0, 'something ran')
    for (const { runId, beganAt: began } of kubelet.runs) {
      if (withRemovals) continue
      const stop = stopped.find(({ run }) => run.runId === runId)
      assert.ok(!stop || began <= stop.at, `${runId} began after it was stopped`)
      assert.equal(kubelet.runs.filter((run) => run.runId === runId).length, 1, 'it began twice')
    }
    for (const { runId, beganAt: began, endedAt = 0 } of kubelet.runs) {
      const ranMs = 1000 * (Math.floor(endedAt / 1000) - Math.floor(began / 1000))
      const isNewest = (await at.driver.observe(never)).some((seen) => seen.runId === runId)
      const billedMs = billed.get(runId) ?? 0
      // A run whose instance is removed may end later than it was seen to end.
      if (isNewest && withRemovals) assert.ok(billedMs <= ranMs, 'what is billed')
      else if (isNewest) assert.equal(billedMs, ranMs, 'what is billed')
    }
  })
}

function interference(
  at: KubernetesHarness,
  chance: (part: number) => boolean,
  random: () => number,
) {
  return async (call: { verb: string; plural: string; name: string }, when: 'before' | 'after') => {
    const isRead = ['get', 'list', 'watch'].includes(call.verb)
    if (when === 'before') await sleep(chance(0.1) ? 60 * random() : 5 * random())
    if (chance(0.02)) at.server.compact()
    if (isRead) return
    if (when === 'before' && call.verb !== 'create' && chance(0.1))
      throw conflict(call.plural, call.name, changed)
    // It took effect, and nobody is told.
    if (when === 'after' && chance(0.05)) throw new Error('the connection is lost')
  }
}
