import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storedUploads } from '../src/uploads.js'

test('uploads are found again by server, target and hash', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'figbase-uploads-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cache', 'uploads.json')
  storedUploads('https://a', file).set({ figure: 'f' }, 'h', 'https://a/upload/1')
  assert.equal(storedUploads('https://a', file).get({ figure: 'f' }, 'h'), 'https://a/upload/1')
  assert.equal(storedUploads('https://b', file).get({ figure: 'f' }, 'h'), undefined)
  assert.equal(storedUploads('https://a', file).get({ figure: 'g' }, 'h'), undefined)
  assert.equal(storedUploads('https://a', file).get({ figure: 'f' }, 'i'), undefined)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  await writeFile(file, 'broken')
  assert.equal(storedUploads('https://a', file).get({ figure: 'f' }, 'h'), undefined)
})
