import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dummyHash, hashPassword, passwordProblem, verifyPassword } from './password.js'

test('hashes with salted argon2id, and verifies only the same password', async () => {
  const stored = await hashPassword('correct horse')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(stored, await hashPassword('correct horse'))
  assert.equal(await verifyPassword(stored, 'correct horse'), true)
  assert.equal(await verifyPassword(stored, 'correct horsf'), false)
  assert.equal(await verifyPassword(stored, ''), false)
})

test('normalizes composed letters', async () => {
  const stored = await hashPassword('cafe\u0301 au lait')
  assert.equal(await verifyPassword(stored, 'caf\u00e9 au lait'), true)
})

test('verification without a stored hash fails at the same cost', async () => {
  assert.equal(await verifyPassword(undefined, 'wrong horse'), false)
  const [stored, dummy] = [await hashPassword('correct horse'), dummyHash]
  const cost = (hash: string) => hash.split('$').slice(0, 4)
  assert.deepEqual(cost(dummy), cost(stored))
})

test('rejects a password of megabytes without hashing it', async () => {
  assert.equal(await verifyPassword(undefined, 'x'.repeat(2 ** 22)), false)
})

test('explains each problem of a password', () => {
  const tooLong = 'may have at most 1024 bytes'
  const cases: [password: string, problem: string | undefined][] = [
    ['kdjf83j', 'must have at least 8 characters'],
    ['kdjf83jf', undefined],
    ['Kdjf83jX', 'may not be the username'],
    ['kdjf83\u0000jf', 'may not contain control characters'],
    [`${'x'.repeat(1024)}y`, tooLong],
    // 1200 bytes, 800 after normalizing; and 300 bytes, 3300 after normalizing.
    ['e\u0301'.repeat(400), tooLong],
    ['\ufdfa'.repeat(100), tooLong],
  ]
  for (const [password, problem] of cases) {
    assert.equal(passwordProblem(password, 'kDJF83jx'), problem, password.slice(0, 20))
  }
  assert.match(passwordProblem('password', 'ada') ?? '', /^is too common or too easy to guess: /)
})

test('never verifies a password that is too long', async () => {
  const long = 'x'.repeat(1025)
  assert.equal(await verifyPassword(await hashPassword(long), long), false)
  const longest = 'x'.repeat(1024)
  assert.equal(await verifyPassword(await hashPassword(longest), longest), true)
})
