import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newOrderedId } from '@figbase/kit/ids'
import { pidOf } from '@figbase/kit/processes'
import { newRun } from '../src/drivers/contract.js'
import { instanceDirectory } from '../src/drivers/local/instance-directory.js'
import type { RunRecord } from '../src/drivers/local/run-files.js'
import { AnotherRun, type RunSpec } from '../src/drivers/port.js'
import { detach, withWord } from './detach.js'
import { inKernel, observed, signal, started, until } from './in-notebook.js'
import { openLocal, withoutLocal } from './local.js'

const skip = withoutLocal
const program = fileURLToPath(new URL('./start-run.js', import.meta.url))

const isGone = (word: string) => async () => withWord(word).length === 0

async function recordOf(root: string, { instanceId }: RunSpec): Promise<RunRecord> {
  return JSON.parse(await readFile(instanceDirectory(root, instanceId).record, 'utf8'))
}

test('a stop ends processes that left their session', { skip }, async () => {
  await using at = await openLocal()
  const spec = newRun()
  await started(at, spec)
  await inKernel(at, spec, detach(`left-${spec.runId}`))
  assert.equal(withWord(`left-${spec.runId}`).length, 1)
  await at.driver.stop(spec, signal)
  await until(async () => (await observed(at, spec))?.state === 'stopped', 'the run to stop')
  assert.deepEqual(withWord(`left-${spec.runId}`), [])
})

test('all processes end with the supervisor, and the run has failed', { skip }, async () => {
  await using at = await openLocal()
  const spec = newRun()
  const { startedAt } = await started(at, spec)
  await inKernel(at, spec, detach(`left-${spec.runId}`))
  process.kill(pidOf((await recordOf(at.root, spec)).supervisor) ?? 0, 'SIGKILL')
  await until(isGone(`left-${spec.runId}`), 'its processes to end')
  const found = await until(async () => {
    const now = await observed(at, spec)
    return now?.state === 'failed' && now
  }, 'the run to have failed')
  assert.match(found.detail, /ended from outside/)
  assert.deepEqual(found.startedAt, startedAt)
  const { ranForMs } = found
  assert.ok(ranForMs > 0)
  assert.equal((await observed(at, spec))?.ranForMs, ranForMs)
  await started(at, { ...spec, runId: newOrderedId() })
})

test('a run outlives the process that started it, and another one adopts it', {
  skip,
}, async () => {
  await using at = await openLocal()
  const spec = newRun()
  const starter = fork(program, [at.root, JSON.stringify(spec)])
  await once(starter, 'message')
  starter.kill('SIGKILL')
  await once(starter, 'exit')
  await started(at, spec)
  const { supervisor } = await recordOf(at.root, spec)
  assert.ok(pidOf(supervisor))
  await assert.rejects(at.driver.start({ ...spec, runId: newOrderedId() }, signal), AnotherRun)
  await inKernel(at, spec, `report('runs')`)
  assert.equal((await recordOf(at.root, spec)).supervisor, supervisor)
})

test('nothing begins if the driver ends before it recorded the run', { skip }, async () => {
  await using at = await openLocal()
  const starter = fork(program, [join(at.root, 'log')])
  const [name] = await once(starter, 'message')
  assert.ok(pidOf(name), 'it waits')
  starter.kill('SIGKILL')
  await until(async () => !pidOf(name), 'the supervisor to end')
})
