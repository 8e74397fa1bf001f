import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfNobody, hashPassword, isPassword } from './password.js'

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

test('nobody has a password, and it is looked for as thoroughly as anybody’s', async () => {
  assert.equal(await isPassword(undefined, 'wrong horse'), false)
  const [stored, nobody] = [await hashPassword('correct horse'), hashOfNobody]
  const cost = (hash: string) => hash.split('$').slice(0, 4)
  assert.deepEqual(cost(nobody), cost(stored))
})

test('a password of megabytes is refused without hashing it', async () => {
  assert.equal(await isPassword(undefined, 'x'.repeat(2 ** 22)), false)
})
