import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { sql } from 'kysely'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

const bob = { ...ann, username: 'bob', email: 'bob@example.org' }
const password = 'a newer horse'
const linkRefused = { code: Code.InvalidArgument, error: 'invalid_request', fields: ['token'] }

/** The reset tokens in all mails so far, with their accounts. */
const resetsIn = (at: Started) =>
  at.mails.flatMap(({ to, text, subject }) => {
    const [, token = ''] = /\/password-reset\/([\w-]{43})$/m.exec(text) ?? []
    const [, username = ''] = /account “(.*?)”/.exec(text) ?? []
    return subject === 'Choose a new password' ? [{ to: to.address, username, token }] : []
  })

/** Requests a reset, and waits for this number of mails. */
async function ask(at: Started, email: string, mails = 1) {
  const before = resetsIn(at).length
  await at.accounts.requestPasswordReset({ email }, asAnonymous())
  while (resetsIn(at).length < before + mails) await once(at.mailed, 'mail')
  return resetsIn(at).slice(before)
}

const confirm = (at: Started, username: string) =>
  at.db
    .updateTable('account')
    .set({ email_confirmed: true })
    .where('username', '=', username)
    .execute()
const tokenFor = async (at: Started, email = ann.email) => (await ask(at, email))[0]?.token ?? ''
const reset = (at: Started, token: string, wanted = password) =>
  at.accounts.resetPassword({ token, password: wanted }, asAnonymous())

test('a reset link sets a new password once, and confirms the address', async () => {
  await using at = await start('http2')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const token = await tokenFor(at, 'ANN@example.org')
  assert.deepEqual(await failureOf(reset(at, token, 'short')), {
    ...linkRefused,
    fields: ['password'],
  })
  assert.deepEqual(await failureOf(reset(at, token, 'ann')), {
    ...linkRefused,
    fields: ['password'],
  })
  assert.equal((await reset(at, token)).username, 'ann')
  assert.deepEqual(await failureOf(reset(at, token, 'yet another one')), linkRefused)
  await at.client.issueToken({ username: 'ann', password }, asAnonymous())
  const old = await failureOf(at.client.issueToken(ann, asAnonymous()))
  assert.equal(old.error, 'authentication_failed')
  const { refresh = '' } = tokens ?? {}
  const renewal = await failureOf(at.client.refreshToken({ refresh }, asAnonymous()))
  assert.equal(renewal.error, 'token_not_valid')
  const { user } = await at.client.getUser({ username: 'ann' }, as('ann'))
  assert.equal(user?.private?.emailConfirmed, true)
  assert.match(at.mails.at(-1)?.subject ?? '', /password was changed/)
})

test('rejects invalid tokens', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const token = await tokenFor(at)
  const verification = /verify-email\/(\S+)/.exec(at.mails[0]?.text ?? '')?.[1] ?? ''
  assert.equal(verification.length, 43)
  const changed = (token.startsWith('x') ? 'y' : 'x') + token.slice(1)
  for (const bad of ['', 'x', '\0', changed, `${token}x`, verification]) {
    assert.deepEqual(await failureOf(reset(at, bad)), linkRefused)
  }
  await reset(at, token)
})

test('one of several concurrent uses of a link succeeds', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const token = await tokenFor(at)
  const passwords = ['the first of many', 'the second of many', 'the third of many']
  const outcomes = await Promise.allSettled(passwords.map((wanted) => reset(at, token, wanted)))
  const winners = passwords.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  assert.equal(winners.length, 1)
  for (const wanted of passwords) {
    const call = at.client.issueToken({ username: 'ann', password: wanted }, asAnonymous())
    if (winners.includes(wanted)) await call
    else assert.equal((await failureOf(call)).error, 'authentication_failed')
  }
})

test('a link is invalidated by expiry, a newer link, a new password or address, and deactivation', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const older = await tokenFor(at)
  const newer = await tokenFor(at)
  assert.deepEqual(await failureOf(reset(at, older)), linkRefused)
  const past = sql<string>`now()`
  await at.db.updateTable('mail_token').set({ expires_on: past }).execute()
  assert.deepEqual(await failureOf(reset(at, newer)), linkRefused)
  const beforePassword = await tokenFor(at)
  await at.accounts.updateUser({ username: 'ann', password: 'changed by hand' }, as('ann'))
  assert.deepEqual(await failureOf(reset(at, beforePassword)), linkRefused)
  const beforeAddress = await tokenFor(at)
  await at.accounts.updateUser({ username: 'ann', email: 'ann@example.net' }, as('ann'))
  assert.deepEqual(await failureOf(reset(at, beforeAddress)), linkRefused)
  const last = await tokenFor(at, 'ann@example.net')
  await at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual(await failureOf(reset(at, last)), linkRefused)
})

test('mails links for all accounts that claim an address, or only for the one that confirmed it', async () => {
  await using at = await start('local')
  const names = ['ann', 'b', 'c', 'd', 'e', 'f']
  for (const username of names) await at.client.createUser({ ...ann, username }, asAnonymous())
  const offered = await ask(at, ann.email, 5)
  assert.deepEqual(offered.map(({ username }) => username).sort(), names.slice(0, 5))
  const chosen = offered.find(({ username }) => username === 'b')
  await reset(at, chosen?.token ?? '')
  const [only] = await ask(at, 'Ann@Example.org')
  assert.deepEqual([only?.to, only?.username], [ann.email, 'b'])
  // A link of another account still sets the password, but does not confirm a taken address.
  const late = offered.find(({ username }) => username === 'c')
  await reset(at, late?.token ?? '')
  const { user } = await at.client.getUser({ username: 'c' }, as('c'))
  assert.equal(user?.private?.emailConfirmed, false)
})

test('sends no mail for an unknown or inactive address, with the same response', async () => {
  await using at = await start('http2')
  await at.client.createUser(bob, asAnonymous())
  await confirm(at, 'bob')
  await at.db.updateTable('account').set({ is_active: false }).execute()
  const mails = at.mails.length
  const answers = await Promise.all(
    ['nobody@example.org', bob.email, 'b@xn--bcher-kva.example'].map((email) =>
      at.accounts.requestPasswordReset({ email }, asAnonymous()),
    ),
  )
  await at.settled()
  assert.equal(at.mails.length, mails)
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
  const bad = await failureOf(at.accounts.requestPasswordReset({ email: 'x' }, asAnonymous()))
  assert.deepEqual(bad.fields, ['email'])
})

test('stores only hashes of tokens', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const token = await tokenFor(at)
  const rows = await at.db.selectFrom('mail_token').selectAll().execute()
  assert.equal(rows.length, 2)
  assert.ok(!JSON.stringify(rows).includes(token))
  for (const { token_hash } of rows) assert.equal(token_hash.length, 32)
})
