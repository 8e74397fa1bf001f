import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTemporaryDirectory, deleteAbandonedDirectories } from './temporary-directory.js'

const before = process.env.TMPDIR
const own = await mkdtemp(join(tmpdir(), 'figbase-'))
process.env.TMPDIR = own
after(async () => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await rm(own, { recursive: true })
})

/** The directory of a process that creates one and is then killed. */
async function killedAfterCreating(): Promise<string> {
  const module = new URL('./temporary-directory.js', import.meta.url)
  const program = `
    const { createTemporaryDirectory } = await import(${JSON.stringify(module.href)})
    process.stdout.write((await createTemporaryDirectory('test')).path)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  const [path] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return String(path)
}

test('deletes the directories of killed processes only', async () => {
  const path = await killedAfterCreating()
  await writeFile(join(path, 'left'), 'x')
  await using live = await createTemporaryDirectory('test')
  assert.equal((await stat(live.path)).mode & 0o777, 0o700)
  await deleteAbandonedDirectories('other')
  assert.ok(existsSync(path))
  await deleteAbandonedDirectories('test')
  assert.ok(!existsSync(path) && existsSync(live.path))
})

test('is deleted with its files when it is disposed of', async () => {
  const { path, ...directory } = await createTemporaryDirectory('test')
  await writeFile(join(path, 'file'), 'x')
  await directory[Symbol.asyncDispose]()
  assert.ok(!existsSync(path))
})
