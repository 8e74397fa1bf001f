import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { objectStoreContract } from './contract.js'
import { createFileSystemStore } from './file-system.js'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'figbase-store-'))
  folders.push(folder)
  return folder
}
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

objectStoreContract('file system', async () => createFileSystemStore(await newFolder()))

test('file system: leaves no file after a failed put, and lists none before its end', async () => {
  const folder = await newFolder()
  const store = createFileSystemStore(folder)
  const slow = async function* () {
    yield new Uint8Array(10)
    const seen: string[] = []
    for await (const { key } of store.list('')) seen.push(key)
    assert.deepEqual(seen, [])
    throw new Error('broken')
  }
  await assert.rejects(store.put('a', slow()), /broken/)
  const [own = ''] = await readdir(join(folder, '.incoming'))
  assert.deepEqual(await readdir(join(folder, '.incoming', own)), [])
})

test('file system: sweeps files of dead processes only', async () => {
  const folder = await newFolder()
  const store = createFileSystemStore(folder)
  const incoming = join(folder, '.incoming')
  const sweeping = async function* () {
    yield new Uint8Array(10)
    const [own = ''] = await readdir(incoming)
    const [host, pid, start] = own.split('~')
    const others = [`${host}~999999999~1`, `${host}~${pid}~1${start}`, `elsewhere~${pid}~1`]
    for (const other of others) {
      await mkdir(join(incoming, other))
      await writeFile(join(incoming, other, 'unfinished'), 'x')
    }
    await store.sweep()
    assert.deepEqual((await readdir(incoming)).sort(), [`elsewhere~${pid}~1`, own].sort())
  }
  await store.put('a/b', sweeping())
  await store.delete(['a/b'])
  assert.deepEqual(await readdir(folder), ['.incoming'])
})

test('file system: rejects keys in the folder of incoming files', async () => {
  const store = createFileSystemStore(await newFolder())
  await assert.rejects(store.put('.incoming/a', (async function* () {})()), /object key/)
})

test('file system: fails without a directory', async () => {
  const store = createFileSystemStore('')
  await assert.rejects(store.put('a', (async function* () {})()), /OBJECTS_DIR/)
})
