import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { newRun } from '../../src/drivers/contract.js'
import {
  type Driver,
  DriverFailed,
  type Observation,
  type RunSpec,
  type RunState,
} from '../../src/drivers/port.js'

const patienceMs = 20_000
export const signal: AbortSignal = new AbortController().signal

export async function until<T>(
  find: () => Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found) return found
    assert.ok(performance.now() < endsAt, `waited too long for ${what}`)
    await sleep(10)
  }
}

export const observed = async (
  driver: Driver,
  instanceId: string,
): Promise<Observation | undefined> =>
  (await driver.observe(signal)).find((one) => one.instanceId === instanceId)

export const stateOf = (
  driver: Driver,
  { instanceId }: RunSpec,
  state: RunState,
): Promise<Observation> =>
  until(async () => {
    const found = await observed(driver, instanceId)
    return found?.state === state && found
  }, `${instanceId} to be ${state}`)

/** A run that serves. */
export async function started(driver: Driver): Promise<RunSpec> {
  const spec = newRun()
  await driver.start(spec, signal)
  await stateOf(driver, spec, 'running')
  return spec
}

/** What the owner reads of a call that fails. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof DriverFailed, `expected DriverFailed, got ${String(error)}`)
  return error.message
}
