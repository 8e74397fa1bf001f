import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from './password.js'

test('a hash is argon2id, salted, and recognises its password only', async () => {
  const stored = await hashPassword('correct horse')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(stored, await hashPassword('correct horse'))
  assert.equal(await isPassword(stored, 'correct horse'), true)
  assert.equal(await isPassword(stored, 'correct horsf'), false)
  assert.equal(await isPassword(stored, ''), false)
})

test('a password is the same however its letters are composed', async () => {
  const stored = await hashPassword('cafe\u0301 au lait')
  assert.equal(await isPassword(stored, 'caf\u00e9 au lait'), true)
})

test('nobody has a password, and to find out takes as long as for somebody', async () => {
  const stored = await hashPassword('correct horse')
  const medianMs = async (hash: string | undefined) => {
    const times: number[] = []
    for (let n = 0; n < 9; n++) {
      const started = performance.now()
      assert.equal(await isPassword(hash, 'wrong horse'), false)
      times.push(performance.now() - started)
    }
    return times.sort((a, b) => a - b)[4] ?? 0
  }
  const [known, unknown] = [await medianMs(stored), await medianMs(undefined)]
  assert.ok(unknown > known / 3 && unknown < known * 3, `${known} ms, ${unknown} ms`)
})

test('a password of megabytes is refused without hashing it', async () => {
  assert.equal(await isPassword(undefined, 'x'.repeat(2 ** 22)), false)
})
