import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import {
  checkNewUser,
  emailProblem,
  type NewUserFields,
  nameProblem,
  usernameProblem,
} from './new-user.js'

const ann: NewUserFields = {
  username: 'ann',
  email: 'ann@example.org',
  password: 'correct horse',
  firstName: '',
  lastName: '',
}

function refusedField(change: Partial<NewUserFields>): string | undefined {
  try {
    checkNewUser({ ...ann, ...change })
    return undefined
  } catch (error) {
    assert.ok(error instanceof ConnectError)
    return detailOf(error)?.fields[0]?.field
  }
}

test('accepts valid fields', () => {
  const accepted: Partial<NewUserFields>[] = [
    {},
    { username: 'A.b_c-d@e+9' },
    { username: 'x'.repeat(150) },
    { firstName: 'Åsa 王', lastName: `O'Neil-Ünlü` },
    { firstName: '😀'.repeat(150) },
    { email: 'a@localhost' },
    { email: 'ann+fig@mail.example.org' },
    { password: 'ünïcödé passwörd 王' },
    { password: `${'correct horse battery staple '.repeat(35)}${'x'.repeat(9)}` },
  ]
  for (const change of accepted) assert.equal(refusedField(change), undefined)
})

test('rejects a username that is empty, malformed, too long, dots or reserved', () => {
  const refused = [
    '',
    'a b',
    'ä',
    'a/b',
    'a\0',
    'a\n',
    '\ud800',
    'x'.repeat(151),
    '.',
    '..',
    'AI',
    'me',
  ]
  for (const username of refused) assert.equal(refusedField({ username }), 'username', username)
})

test('rejects a malformed e-mail address', () => {
  const long = `${'x'.repeat(60)}@${'y'.repeat(200)}.org`
  const refused = [
    '',
    'ann',
    '@a.org',
    'ann@',
    'a@@b.org',
    'a b@c.org',
    'a@b..org',
    'a@b.org\0',
    long,
  ]
  for (const email of refused) assert.equal(refusedField({ email }), 'email', email)
})

test('rejects a name with control characters or over 150 characters', () => {
  for (const name of ['a\0', '\u0007', 'a\ud800', 'x'.repeat(151)]) {
    assert.equal(refusedField({ firstName: name }), 'first_name')
    assert.equal(refusedField({ lastName: name }), 'last_name')
  }
})

test('rejects a password that is short, long, unprintable or the username', () => {
  const refused = ['', '1234567', '😀'.repeat(7), 'x'.repeat(1025), 'é'.repeat(513), 'password\0']
  for (const password of refused) assert.equal(refusedField({ password }), 'password')
  const username = 'longenough'
  assert.equal(refusedField({ username, password: 'LongEnough' }), 'password')
})

test('rejects a password that is common or easy to guess', () => {
  const owner = { username: 'grace.hopper', email: 'amazing@example.org' }
  for (const password of [
    'password',
    'PASSWORD',
    'ｐａｓｓｗｏｒｄ',
    'P@ssw0rd',
    'p4$$w0rd!',
    'password123',
    'Password123!',
    'drowssap',
    'passwordpassword',
    '12345678',
    'qwertyuiop',
    'aaaaaaaa',
    'x'.repeat(1024),
    'iloveyou',
    '20260101',
    'grace.hopper1',
    'amazing@example.org',
  ]) {
    assert.equal(refusedField({ ...owner, password }), 'password', password)
  }
  for (const password of ['correct horse battery', 'kdjf83jf', 'LongEnough', 'Tr0ub4dor&3']) {
    assert.equal(refusedField({ ...owner, password }), undefined, password)
  }
})

test('rejects reserved usernames, and accepts dots at the ends', () => {
  for (const username of ['ai', 'System', 'ANONYMOUS', 'me']) {
    assert.equal(usernameProblem(username), 'is reserved', username)
  }
  for (const username of ['.ann', 'ann.', '..a..']) {
    assert.equal(usernameProblem(username), undefined, username)
  }
})

test('explains each problem', () => {
  assert.equal(usernameProblem(''), 'is required')
  const characters = 'must be 1 to 150 letters (a-z), digits, and any of _ . - @ +'
  assert.equal(usernameProblem('a b'), characters)
  assert.equal(usernameProblem('...'), 'may not consist of dots')
  assert.equal(emailProblem(''), 'is required')
  assert.equal(emailProblem('ann'), 'is not an e-mail address')
  const address = (length: number) => {
    const labels = `${'y'.repeat(60)}.`.repeat(3)
    const rest = `${labels}org`
    return `${'x'.repeat(50)}@${'z'.repeat(length - 52 - rest.length)}.${rest}`
  }
  assert.equal(address(254).length, 254)
  assert.equal(emailProblem(address(254)), undefined)
  assert.equal(emailProblem(address(255)), 'may have at most 254 characters')
  assert.equal(nameProblem('x'.repeat(151)), 'may have at most 150 characters')
  assert.equal(nameProblem('a\0'), 'may not contain control characters')
})
