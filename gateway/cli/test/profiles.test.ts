import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chooseProfile, readProfiles, writeProfiles } from '../src/profiles.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'figbase-profiles-'))
})
after(() => rm(folder, { recursive: true }))

const one = { url: 'https://one.example', key: 'k1' }
const two = { url: 'https://two.example', key: 'k2', workspace: 'Climate' }
const both = { current: 'one', profiles: { one, two } }

test('only this user can read what is written', async () => {
  const file = join(folder, 'new', 'profiles.json')
  assert.deepEqual(await readProfiles(file), { profiles: {} })
  await writeProfiles(both, file)
  assert.deepEqual(await readProfiles(file), both)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(join(folder, 'new'))).mode & 0o777, 0o700)
})

test('a file that others can read is refused, with the remedy', async () => {
  const file = join(folder, 'open.json')
  await writeProfiles(both, file)
  await chmod(file, 0o640)
  await assert.rejects(readProfiles(file), {
    message: `${file} can be read by other users. Run: chmod 600 '${file}'`,
  })
})

test('a file of something else is refused', async () => {
  const file = join(folder, 'wrong.json')
  for (const text of ['{', 'null', '{"profiles":null}']) {
    await writeFile(file, text, { mode: 0o600 })
    await assert.rejects(readProfiles(file), /Delete it/)
  }
})

test('the profile with a name, or else the current one', () => {
  assert.deepEqual(chooseProfile(both), one)
  assert.deepEqual(chooseProfile(both, 'two'), two)
  assert.throws(() => chooseProfile(both, 'constructor'), { code: 2 })
  assert.throws(() => chooseProfile({ profiles: {} }), { code: 3 })
})
