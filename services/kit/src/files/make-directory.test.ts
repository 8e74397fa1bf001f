import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDirectory } from './make-directory.js'

test('creates directories for their owner only and keeps existing ones', async () => {
  const root = await mkdtemp(join(tmpdir(), 'figbase-'))
  const deep = join(root, 'a', 'b', 'c')
  assert.equal(await makeDirectory(deep), join(root, 'a'))
  assert.equal((await stat(join(root, 'a'))).mode & 0o777, 0o700)
  assert.equal(await makeDirectory(deep), undefined)
  const many = await Promise.all(Array.from({ length: 8 }, () => makeDirectory(join(root, 'x/y'))))
  assert.ok(many.length === 8 && (await stat(join(root, 'x', 'y'))).isDirectory())
  await rm(root, { recursive: true })
})

test('fails with the reason if a directory cannot be created', async () => {
  const root = await mkdtemp(join(tmpdir(), 'figbase-'))
  const file = join(root, 'file')
  await writeFile(file, '')
  await assert.rejects(makeDirectory(file), /EEXIST/)
  await assert.rejects(makeDirectory(join(file, 'x')), /ENOTDIR/)
  if (process.platform === 'linux') {
    await assert.rejects(makeDirectory('/proc/figbase/x'), /ENOENT/)
  }
  await rm(root, { recursive: true })
})
