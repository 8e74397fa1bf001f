import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { signInByDevice } from '@figbase/kit/testing'
import { type SsoStarted, startWithProvider } from './support/sso.js'
import { ann, as, asAnonymous, failureOf, type Started } from './support/started.js'

const notValid = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }

async function tokenOf({ provider }: SsoStarted, name: string) {
  return (await signInByDevice(provider, name)).access
}

async function userOf({ client }: Started, username: string) {
  const { user } = await client.getUser({ username }, as(username))
  assert.ok(user?.private)
  return { ...user, ...user.private }
}

const confirm = ({ db }: Started, username: string) =>
  db
    .updateTable('account')
    .set({ email_confirmed: true })
    .where('username', '=', username)
    .execute()

test('the first device sign-in creates an account, later ones reuse it', async () => {
  await using sso = await startWithProvider('http2')
  assert.deepEqual(await sso.authenticate(await tokenOf(sso, 'grace')), {
    username: 'grace',
    isStaff: false,
  })
  const user = await userOf(sso.at, 'grace')
  assert.equal(user.usingAuth0, true)
  assert.deepEqual([user.firstName, user.lastName], ['Grace', 'Hopper'])
  assert.deepEqual([user.email, user.emailConfirmed], ['grace@example.org', true])
  assert.deepEqual(new Set(sso.at.workspaces), new Set(['grace']))
  assert.equal((await sso.authenticate(await tokenOf(sso, 'grace'))).username, 'grace')
  const accounts = await sso.at.db.selectFrom('account').select('username').execute()
  assert.equal(accounts.length, 1)
})

test('concurrent first requests create one account', async () => {
  await using sso = await startWithProvider('http2')
  const token = await tokenOf(sso, 'grace')
  const known = await Promise.all(Array.from({ length: 8 }, () => sso.authenticate(token)))
  assert.deepEqual(new Set(known.map(({ username }) => username)), new Set(['grace']))
  const accounts = await sso.at.db.selectFrom('account').select('username').execute()
  assert.equal(accounts.length, 1)
})

test('links the existing account when both sides have verified the address', async () => {
  await using sso = await startWithProvider('local')
  const { at, provider } = sso
  await at.client.createUser(ann, asAnonymous())
  await confirm(at, 'ann')
  provider.people.set('x1', { email: 'ANN@Example.org', email_verified: true })
  assert.equal((await sso.authenticate(await tokenOf(sso, 'x1'))).username, 'ann')
  assert.equal((await userOf(at, 'ann')).usingAuth0, true)
  await at.client.issueToken(ann, asAnonymous())
  // Then the subject identifies the account, whatever the address.
  provider.people.set('x1', { email: 'other@example.org', email_verified: false })
  assert.equal((await sso.authenticate(await tokenOf(sso, 'x1'))).username, 'ann')
})

test('creates a new account when either side has not verified the address', async () => {
  await using sso = await startWithProvider('local')
  const { at, provider } = sso
  await at.client.createUser(ann, asAnonymous())
  const claims = { preferred_username: 'ann', email: ann.email }

  // Not confirmed here: the existing account may only have claimed the address.
  provider.people.set('x1', { ...claims, email_verified: true })
  assert.equal((await sso.authenticate(await tokenOf(sso, 'x1'))).username, 'ann2')
  assert.deepEqual((await userOf(at, 'ann2')).emailConfirmed, true)
  assert.equal((await userOf(at, 'ann')).usingAuth0, false)

  // Not verified by the provider: the claim cannot be trusted.
  provider.people.set('x2', { ...claims, email_verified: false })
  assert.equal((await sso.authenticate(await tokenOf(sso, 'x2'))).username, 'ann3')
  assert.equal((await userOf(at, 'ann3')).emailConfirmed, false)
})

test('tries further usernames when one is taken, ignoring case', async () => {
  await using sso = await startWithProvider('local')
  const known: string[] = []
  for (const name of ['Ada', 'ada', 'ADA']) {
    sso.provider.people.set(`of-${name}`, { preferred_username: name })
    known.push((await sso.authenticate(await tokenOf(sso, `of-${name}`))).username)
  }
  assert.deepEqual(known, ['Ada', 'ada2', 'ADA3'])
})

test('rejects an inactive account, also when found by address', async () => {
  await using sso = await startWithProvider('http2')
  const token = await tokenOf(sso, 'grace')
  await sso.authenticate(token)
  await sso.at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual(await failureOf(sso.authenticate(token)), notValid)
  sso.provider.people.set('x1', { email: 'grace@example.org', email_verified: true })
  assert.deepEqual(await failureOf(sso.authenticate(await tokenOf(sso, 'x1'))), notValid)
})

test('with sign-up disabled, sign-in creates no account', async () => {
  await using sso = await startWithProvider('local', { SIGN_UP_ENABLED: 'false' })
  assert.deepEqual(await failureOf(sso.authenticate(await tokenOf(sso, 'grace'))), {
    code: Code.PermissionDenied,
    error: 'sign_up_disabled',
    fields: [],
  })
  const accounts = await sso.at.db.selectFrom('account').select('username').execute()
  assert.deepEqual(accounts, [])
})

test('calls the userinfo endpoint only for the first token without claims', async () => {
  await using sso = await startWithProvider('local', {}, { hasClaimsInTokens: false })
  const userinfoRequests = () => sso.provider.requests.filter((path) => path === '/me').length
  const token = await tokenOf(sso, 'grace')
  await sso.authenticate(token)
  assert.equal((await userOf(sso.at, 'grace')).email, 'grace@example.org')
  assert.equal(userinfoRequests(), 1)
  await sso.authenticate(token)
  assert.equal(userinfoRequests(), 1)
})

test('an account without a password cannot sign in with one', async () => {
  await using sso = await startWithProvider('local')
  await sso.authenticate(await tokenOf(sso, 'grace'))
  for (const password of ['', 'x', 'correct horse battery']) {
    const attempt = sso.at.client.issueToken({ username: 'grace', password }, asAnonymous())
    assert.equal((await failureOf(attempt)).error, 'authentication_failed')
  }
})
