import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@figbase/kit/testing'
import { parsePeriod } from '@figbase/kit/text'
import { Lifecycle } from '@figbase/proto/compute'
import { isAlive } from '../../src/drivers/port.js'
import { sumByTier } from '../../src/queries/runs.js'
import { reconcile } from '../../src/reconciler/reconcile.js'
import { ann, type Started, start } from '../test-service.js'
import { type KubernetesHarness, openKubernetes } from './harness.js'
import { changed, conflict, StatusError } from './status-error.js'
import { signal } from './waiting.js'

const seeds = [1, 2]
const steps = 70
/** Shortly before the end of a month. */
const begin = Date.parse('2027-02-28T23:58:00Z')
const months = ['2027-02', '2027-03']

for (const seed of seeds) {
  test(`random commands, failures of the cluster and two reconcilers, seed ${seed}`, async () => {
    const random = seededRandom(seed)
    const chance = (part: number) => random() < part
    const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)]
    await using cluster = await openKubernetes({ startTimeoutMs: 1e9 })
    const { server } = cluster
    let now = begin
    server.now = () => now
    const env = { COMPUTE_RETRY_DELAY: '0s', COMPUTE_ATTEMPTS_MAX: '20' }
    await using at = await start({ driver: cluster.driver, env })
    const drivers = [cluster.driver, cluster.open()]
    const rounds = new Set<Promise<unknown>>()
    const ids = [(await at.launch()).id, (await at.launch()).id]
    await converge(at, cluster, ids)
    server.interfere = async ({ verb, plural, name }, when) => {
      if (chance(0.1)) await sleep(8 * random())
      if (chance(0.02)) throw new StatusError(503, 'ServiceUnavailable', 'the server is busy')
      const isWrite = !['get', 'list', 'watch'].includes(verb)
      if (isWrite && when === 'after' && chance(0.05)) throw new Error('the connection is lost')
      const isChange = isWrite && verb !== 'create'
      if (isChange && when === 'before' && chance(0.1)) throw conflict(plural, name, changed)
    }
    for (let step = 0; step < steps; step++) {
      now += Math.floor(random() * 3000)
      const what = random()
      if (what < 0.3) await command(at, random, ids)
      else if (what < 0.35) server.kubelet.crash(pick(ids) ?? '', pick([0, 1]))
      else {
        const driver = pick(drivers) ?? cluster.driver
        const round = reconcile(at.ctx, driver, signal, chance(0.3))
          .catch(() => {})
          .finally(() => rounds.delete(round))
        rounds.add(round)
        if (rounds.size > 1 || chance(0.5)) await Promise.race(rounds)
      }
    }
    server.interfere = () => {}
    await Promise.all(rounds)
    await converge(at, cluster, ids)
    assert.deepEqual(server.kubelet.doubles, [], 'two runs of an instance at a time')
    for (const id of ids) await at.compute.stopInstance({ id }, ann).catch(() => {})
    now += 10_000
    await converge(at, cluster, ids)
    for (const id of ids) await assertBilled(at, cluster, id)
  })
}

/** Commands that do not fit the state are refused. */
async function command({ compute, launch }: Started, random: () => number, ids: string[]) {
  const id = ids[Math.floor(random() * ids.length)] ?? ''
  const what = random()
  const call =
    what < 0.5
      ? compute.startInstance({ id }, ann)
      : what < 0.95
        ? compute.stopInstance({ id }, ann)
        : compute.terminateInstance({ id }, ann)
  await call.catch(() => {})
  if (what < 0.95) return
  // A cluster that is busy permits no launch.
  const instance = await launch().catch(() => undefined)
  if (instance) ids.push(instance.id)
}

/** Rounds until all instances are as desired. */
async function converge({ compute, round }: Started, { driver }: KubernetesHarness, ids: string[]) {
  const isSettled = async () => {
    const seen = new Map((await driver.observe(signal)).map((one) => [one.instanceId, one]))
    for (const id of ids) {
      const { instance } = await compute.getInstance({ id }, ann)
      const lifecycle = Lifecycle[instance?.lifecycle ?? 0] ?? ''
      const observed = seen.get(id)
      const isRunning = lifecycle === 'RUNNING' && observed?.state === 'running'
      const hasEnded = ['STOPPED', 'FAILED'].includes(lifecycle) && !(observed && isAlive(observed))
      if (!isRunning && !hasEnded && !(lifecycle === 'TERMINATED' && !observed)) return false
    }
    return true
  }
  for (let count = 0; !(await isSettled()); count++) {
    assert.ok(count < 500, 'it does not converge')
    await round()
    await sleep(5)
  }
}

/** The ledger has what the containers ran, as Kubernetes says it: in whole seconds. */
async function assertBilled({ ctx }: Started, { server }: KubernetesHarness, id: string) {
  let billed = 0
  for (const month of months) {
    const rows = await sumByTier(ctx.db, { column: 'instance_id', id }, parsePeriod(month))
    for (const { used_ms } of rows) billed += Number(used_ms)
  }
  const ran = server.kubelet.runs
    .filter(({ instanceId }) => instanceId === id)
    .map(({ beganAt, endedAt = 0 }) => Math.floor(endedAt / 1000) - Math.floor(beganAt / 1000))
  assert.equal(billed, 1000 * ran.reduce((sum, one) => sum + one, 0))
}
