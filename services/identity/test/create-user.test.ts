import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { keysFrom, userTokenPurpose, verifyAccessToken } from '@figbase/kit/keys'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

const countUsers = async (at: Started) =>
  (await at.db.selectFrom('account').select('username').execute()).length

test('sign-up returns tokens and creates a primary workspace', async () => {
  await using at = await start('http2')
  const before = Date.now() - 1000
  const { user, tokens } = await at.client.createUser(ann, asAnonymous())
  assert.ok(at.workspaces.includes('ann'))
  assert.equal(user?.username, 'ann')
  assert.equal(user.firstName, 'Ann')
  assert.equal(user.lastName, 'Lee')
  assert.equal(user.avatar, '')
  assert.equal(user.usingAuth0, false)
  assert.ok(Number(user.dateJoined?.seconds) * 1000 >= before - 1000)
  const { email, emailConfirmed, isActive, isStaff, profileJson } = user.private ?? {}
  assert.deepEqual(
    { email, emailConfirmed, isActive, isStaff, profileJson },
    {
      email: 'ann@example.org',
      emailConfirmed: false,
      isActive: true,
      isStaff: false,
      profileJson: '{}',
    },
  )
  const key = keysFrom('a secret of the tests').derive(userTokenPurpose)
  const read = verifyAccessToken(tokens?.access ?? '', key)
  assert.deepEqual(read, { username: 'ann', isStaff: false })
  await at.client.refreshToken({ refresh: tokens?.refresh ?? '' }, asAnonymous())
  await at.client.issueToken(ann, asAnonymous())
})

test('rejects invalid input by field, without writing', async () => {
  await using at = await start('http2')
  const cases = [
    ['username', { username: '' }],
    ['username', { username: 'a b' }],
    ['username', { username: 'a\0b' }],
    ['username', { username: 'System' }],
    ['email', { email: '' }],
    ['email', { email: 'nobody' }],
    ['first_name', { firstName: 'a\0' }],
    ['last_name', { lastName: 'x'.repeat(151) }],
    ['password', { password: 'short' }],
    ['password', { password: 'password' }],
    ['password', { username: 'longenough', password: 'LONGENOUGH' }],
  ] as const
  for (const [field, change] of cases) {
    const failure = await failureOf(at.client.createUser({ ...ann, ...change }, asAnonymous()))
    const expected = { code: Code.InvalidArgument, error: 'invalid_request', fields: [field] }
    assert.deepEqual(failure, expected)
  }
  assert.equal(await countUsers(at), 0)
  assert.deepEqual(at.workspaces, [])
})

test('usernames are unique, ignoring case', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  for (const username of ['ann', 'ANN']) {
    const failure = await failureOf(at.client.createUser({ ...ann, username }, asAnonymous()))
    assert.deepEqual(failure, { code: Code.AlreadyExists, error: 'username_taken', fields: [] })
  }
  assert.equal(await countUsers(at), 1)
})

test('one of several concurrent sign-ups gets a username', async () => {
  await using at = await start('http2')
  const names = ['bob', 'Bob', 'bob', 'BOB', 'bob', 'bOb', 'bob', 'bob']
  const calls = names.map((username) => at.client.createUser({ ...ann, username }, asAnonymous()))
  const outcomes = await Promise.allSettled(calls)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const call of calls) {
    const failed = await call.then(
      () => false,
      () => true,
    )
    if (failed) assert.equal((await failureOf(call)).error, 'username_taken')
  }
  assert.equal(await countUsers(at), 1)
})

test('with sign-up disabled, only staff and the system create users', async () => {
  await using at = await start('http2', { SIGN_UP_ENABLED: 'false' })
  for (const caller of [asAnonymous(), as('bob')]) {
    const failure = await failureOf(at.client.createUser(ann, caller))
    assert.deepEqual(failure, {
      code: Code.PermissionDenied,
      error: 'sign_up_disabled',
      fields: [],
    })
  }
  assert.equal(await countUsers(at), 0)
  await at.client.createUser(ann, actAs(user('root', true)))
  await at.client.createUser({ ...ann, username: 'bob' }, actAsSystem())
  assert.equal(await countUsers(at), 2)
})

test('an address may be claimed twice; only staff learn that it is confirmed', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await at.client.createUser({ ...ann, username: 'bob' }, asAnonymous())
  const carl = { ...ann, username: 'carl', email: 'ANN@example.org' }
  await at.client.createUser(carl, actAs(user('root', true)))
  await at.db
    .updateTable('account')
    .set({ email_confirmed: true })
    .where('username', '=', 'ann')
    .execute()
  const dora = { ...carl, username: 'dora' }
  const refused = await failureOf(at.client.createUser(dora, actAs(user('root', true))))
  assert.deepEqual(refused, { code: Code.AlreadyExists, error: 'email_taken', fields: [] })
  await at.client.createUser(dora, asAnonymous())
})

test('a user is created while catalog is unavailable; the job creates the workspace later', async () => {
  let isUnavailable = true
  await using at = await start('local', {}, () => isUnavailable)
  await at.client.createUser(ann, asAnonymous())
  assert.deepEqual(at.workspaces, [])
  isUnavailable = false
  while (at.workspaces.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(at.workspaces, ['ann'])
})

test('the password is stored as a hash only', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const row = await at.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  assert.match(row.password_hash ?? '', /^\$argon2id\$/)
  assert.ok(!JSON.stringify(row).includes(ann.password))
})
