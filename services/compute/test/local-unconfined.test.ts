import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newRun } from '../src/drivers/contract.js'
import { detach, withWord } from './detach.js'
import { inKernel, observed, signal, started, until } from './in-notebook.js'
import { openLocal, settings, withoutLocal } from './local.js'

const skip = withoutLocal
const isRoot = process.geteuid?.() === 0

/** A notebook server that no confinement contains. */
let jupyterPath = ''
let directory = ''
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'figbase-jupyter-'))
  jupyterPath = join(directory, 'jupyter-notebook')
  if (!skip) await symlink(settings.jupyterPath, jupyterPath)
})
after(() => rm(directory, { recursive: true }))

const refusals = { false: 'unless it is permitted', true: 'as root, even if it is permitted' }
for (const [permitted, when] of Object.entries(refusals)) {
  const mayRunUnconfined = permitted === 'true'
  if (mayRunUnconfined && !isRoot) continue
  test(`a notebook that cannot be confined does not start, ${when}`, { skip }, async () => {
    await using at = await openLocal({ jupyterPath, mayRunUnconfined })
    assert.match((await at.driver.unavailableReason()) ?? '', /cannot be confined.*below \/usr/)
    await assert.rejects(at.driver.start(newRun(), signal), /cannot be confined/)
    assert.deepEqual(await at.driver.observe(signal), [])
  })
}

if (!isRoot) {
  test('a stop ends unconfined processes that left their session', { skip }, async () => {
    await using at = await openLocal({ jupyterPath, mayRunUnconfined: true })
    const spec = newRun()
    await started(at, spec)
    await inKernel(at, spec, detach(`left-${spec.runId}`))
    assert.equal(withWord(`left-${spec.runId}`).length, 1)
    await at.driver.stop(spec, signal)
    await until(async () => (await observed(at, spec))?.state === 'stopped', 'the run to stop')
    assert.deepEqual(withWord(`left-${spec.runId}`), [])
  })
}
