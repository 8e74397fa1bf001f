import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { save } from '../src/save.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'figbase-save-'))
})
after(() => rm(folder, { recursive: true }))

const body = (text: string) => new Blob([text]).stream()

test('replaces a file only with force', async () => {
  const file = join(folder, 'a.txt')
  await save(body('one'), file)
  await assert.rejects(save(body('two'), file), { code: 1, error: 'file_exists' })
  assert.equal(await readFile(file, 'utf8'), 'one')
  await save(body('three'), file, true)
  assert.equal(await readFile(file, 'utf8'), 'three')
  assert.deepEqual(await readdir(folder), ['a.txt'])
})

test('leaves nothing of a download that fails, and the file as it was', async () => {
  const file = join(folder, 'b.txt')
  await writeFile(file, 'before')
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
    },
    pull: (controller) => controller.error(new Error('hash_mismatch')),
  })
  await assert.rejects(save(broken, file, true), /hash_mismatch/)
  assert.equal(await readFile(file, 'utf8'), 'before')
  assert.deepEqual((await readdir(folder)).sort(), ['a.txt', 'b.txt'])
})
