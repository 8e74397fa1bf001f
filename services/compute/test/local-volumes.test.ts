import assert from 'node:assert/strict'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { createLocalDriver } from '../src/drivers/local/index.js'
import { instanceDirectory } from '../src/drivers/local/instance-directory.js'
import { archiveVolume, listVolumes, restoreVolume } from '../src/drivers/local/volumes.js'
import { settings } from './local.js'

const { signal } = new AbortController()

test('archived files are restored, seen by the driver, and removed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'figbase-volumes-'))
  try {
    const [from, to, archive] = ['from', 'to', 'archive.tar'].map((name) => join(root, name))
    assert.ok(from && to && archive)
    const id = newId()
    assert.deepEqual(await listVolumes(from), [])
    const { volume } = instanceDirectory(from, id)
    await mkdir(volume, { recursive: true })
    await mkdir(join(from, newId()))
    await writeFile(join(from, 'lock'), '')
    await writeFile(join(root, 'secret'), 'secret')
    await writeFile(join(volume, 'table'), 'a,b')
    await symlink(join(root, 'secret'), join(volume, 'link'))
    assert.deepEqual(await listVolumes(from), [id])
    assert.ok((await archiveVolume(from, id, archive, signal)) > 0)
    assert.doesNotMatch(await readFile(archive, 'latin1'), /secret\n*$/)

    await restoreVolume(to, id, archive, signal)
    const restored = instanceDirectory(to, id)
    assert.equal(await readFile(join(restored.volume, 'table'), 'utf8'), 'a,b')
    assert.equal(await readlink(join(restored.volume, 'link')), join(root, 'secret'))
    const driver = createLocalDriver({ ...settings, directory: to })
    const seen = await driver.observe(signal)
    assert.deepEqual(
      seen.map(({ instanceId, state, ranForMs }) => [instanceId, state, ranForMs]),
      [[id, 'stopped', 0]],
    )
    await driver.remove(id, signal)
    assert.deepEqual(await listVolumes(to), [])
    assert.deepEqual(await driver.observe(signal), [])
    assert.ok(!(await readdir(to)).includes(id))
    await assert.rejects(restoreVolume(to, id, join(root, 'secret'), signal), /tar failed/)
  } finally {
    await rm(root, { recursive: true })
  }
})
