import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfNobody, hashPassword, isPassword, passwordProblem } from './password.js'

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

test('a refusal says what is wrong with a password', () => {
  const tooLong = 'may have at most 1024 bytes'
  const cases: [password: string, problem: string | undefined][] = [
    ['kdjf83j', 'must have at least 8 characters'],
    ['kdjf83jf', undefined],
    ['Kdjf83jX', 'may not be the username'],
    ['kdjf83\u0000jf', 'may not contain control characters'],
    [`${'x'.repeat(1024)}y`, tooLong],
    // 1200 bytes, and 800 when they are composed; 300, and 3300 when they are written out.
    ['e\u0301'.repeat(400), tooLong],
    ['\ufdfa'.repeat(100), tooLong],
  ]
  for (const [password, problem] of cases) {
    assert.equal(passwordProblem(password, 'kDJF83jx'), problem, password.slice(0, 20))
  }
  assert.match(passwordProblem('password', 'ada') ?? '', /^is too common or too easy to guess: /)
})

test('what is too long is no password, whatever is stored', async () => {
  const long = 'x'.repeat(1025)
  assert.equal(await isPassword(await hashPassword(long), long), false)
  const longest = 'x'.repeat(1024)
  assert.equal(await isPassword(await hashPassword(longest), longest), true)
})
