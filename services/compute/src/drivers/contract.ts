import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId, newOrderedId } from '@figbase/kit/ids'
import {
  AnotherRun,
  type Driver,
  isAlive,
  type Observation,
  type RunSpec,
  type RunState,
} from './port.js'

/** A driver for a test, and what the test needs besides it. */
export type DriverHarness = AsyncDisposable & {
  driver: Driver
  /** The same driver as another process has it. */
  inAnotherProcess(): Promise<Driver>
  /** Creates a file in the volume of an instance. */
  writeFile(instanceId: string, name: string): Promise<void>
  hasFile(instanceId: string, name: string): Promise<boolean>
}

const patienceMs = 30_000
const { signal } = new AbortController()

/** What every driver must do; `open` returns one without instances. */
export function driverContract(name: string, open: () => Promise<DriverHarness>): void {
  test(`${name}: a run starts, runs, is stopped, and says how long it ran`, async () => {
    await using at = await open()
    const spec = newRun()
    assert.equal(await at.driver.unavailableReason(), undefined)
    await at.driver.start(spec, signal)
    const running = await stateOf(at.driver, spec.instanceId, 'running')
    assert.equal(running.runId, spec.runId)
    assert.match(running.address ?? '', /^http:\/\//)
    assert.ok(running.startedAt && running.ranForMs >= 0)
    assert.ok(await at.driver.measure(spec.instanceId, signal))
    await at.driver.stop(spec, signal)
    const stopped = await stateOf(at.driver, spec.instanceId, 'stopped')
    assert.deepEqual(stopped.startedAt, running.startedAt)
    assert.ok(stopped.ranForMs >= running.ranForMs)
    assert.equal(await at.driver.measure(spec.instanceId, signal), undefined)
    await sleep(20)
    const later = await stateOf(at.driver, spec.instanceId, 'stopped')
    assert.equal(later.ranForMs, stopped.ranForMs, 'a run that has ended runs no longer')
  })

  test(`${name}: an instance never has two runs`, async () => {
    await using at = await open()
    const [earlier, first] = [newRun(), newRun()]
    const { instanceId } = first
    const other = await at.inAnotherProcess()
    await Promise.all([at.driver, other, at.driver].map((one) => one.start(first, signal)))
    const { startedAt } = await stateOf(at.driver, instanceId, 'running')
    const second = { ...newRun(), instanceId }
    await assert.rejects(other.start(second, signal), AnotherRun)
    await at.driver.start({ ...earlier, instanceId }, signal)
    await at.driver.start(first, signal)
    const still = await stateOf(other, instanceId, 'running')
    assert.deepEqual([still.runId, still.startedAt], [first.runId, startedAt])
    await at.driver.stop(first, signal)
    await stateOf(at.driver, instanceId, 'stopped')
    await other.start(first, signal)
    assert.equal((await stateOf(other, instanceId, 'stopped')).runId, first.runId)
    await other.start(second, signal)
    assert.equal((await stateOf(at.driver, instanceId, 'running')).runId, second.runId)
  })

  test(`${name}: a stop reaches only its run, also before the run was started`, async () => {
    await using at = await open()
    const [first, second] = [newRun(), newRun()]
    const { instanceId } = first
    await at.driver.stop(first, signal)
    await at.driver.start(first, signal)
    const found = await find(at.driver, instanceId)
    assert.ok(!found || !isAlive(found), 'it was stopped before')
    await at.driver.start({ ...second, instanceId }, signal)
    await stateOf(at.driver, instanceId, 'running')
    await at.driver.stop(first, signal)
    assert.equal((await stateOf(at.driver, instanceId, 'running')).runId, second.runId)
  })

  test(`${name}: another process sees and ends a run; files outlive it until they are removed`, async () => {
    await using at = await open()
    const spec = newRun()
    const { instanceId } = spec
    await at.driver.start(spec, signal)
    await stateOf(at.driver, instanceId, 'running')
    await at.writeFile(instanceId, 'kept')
    const other = await at.inAnotherProcess()
    assert.equal((await stateOf(other, instanceId, 'running')).runId, spec.runId)
    await other.stop(spec, signal)
    await stateOf(at.driver, instanceId, 'stopped')
    await at.driver.start({ ...newRun(), instanceId }, signal)
    await stateOf(other, instanceId, 'running')
    assert.ok(await at.hasFile(instanceId, 'kept'))
    await other.remove(instanceId, signal)
    await until(async () => !(await find(at.driver, instanceId)), 'all to be removed')
    await other.remove(instanceId, signal)
    await at.driver.start({ ...newRun(), instanceId }, signal)
    await stateOf(at.driver, instanceId, 'running')
    assert.ok(!(await at.hasFile(instanceId, 'kept')))
  })
}

/** A run of a new instance. */
export const newRun = (): RunSpec => ({
  instanceId: newId(),
  runId: newOrderedId(),
  vcpu: 1,
  memoryBytes: 512 * 2 ** 20,
  volumeBytesMax: 64 * 2 ** 20,
  environment: { GF_URL: 'http://127.0.0.1:9', GF_API_KEY: 'key', GF_WORKSPACE: newId() },
  basePath: '/instance/',
  token: newId(),
})

const find = async (driver: Driver, instanceId: string) =>
  (await driver.observe(signal)).find((one) => one.instanceId === instanceId)

async function stateOf(driver: Driver, instanceId: string, state: RunState): Promise<Observation> {
  let found: Observation | undefined
  await until(async () => {
    found = await find(driver, instanceId)
    return found?.state === state
  }, `${instanceId} to be ${state}`)
  assert.ok(found)
  return found
}

async function until(isTrue: () => Promise<boolean>, what: string) {
  const endsAt = performance.now() + patienceMs
  while (!(await isTrue())) {
    assert.ok(performance.now() < endsAt, `waited too long for ${what}`)
    await sleep(20)
  }
}
