import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, user } from '@figbase/kit/rpc'
import { sql } from 'kysely'
import { purgeMailTokens } from '../src/periodic/purge-mail-tokens.js'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

const linkRefused = { code: Code.InvalidArgument, error: 'invalid_request', fields: ['token'] }
const tokenIn = (at: Started, index = -1) =>
  /\/verify-email\/([\w-]{43})$/m.exec(at.mails.at(index)?.text ?? '')?.[1] ?? ''
const verify = (at: Started, token: string, username = '') =>
  at.accounts.verifyEmail({ token, username }, asAnonymous())
const isConfirmed = async (at: Started, username = 'ann') =>
  (await at.client.getUser({ username }, as(username))).user?.private?.emailConfirmed

test('a verification link confirms the address once', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  assert.equal(at.mails[0]?.to.address, ann.email)
  const token = tokenIn(at)
  for (const bad of ['', 'x', '\0', `${token}x`]) {
    assert.deepEqual(await failureOf(verify(at, bad)), linkRefused)
  }
  assert.deepEqual(await failureOf(verify(at, token, 'bob')), linkRefused)
  assert.equal((await verify(at, token, 'ann')).username, 'ann')
  assert.equal(await isConfirmed(at), true)
  assert.deepEqual(await failureOf(verify(at, token)), linkRefused)
})

test('only the user can request another mail', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const ask = (caller: ReturnType<typeof as>) =>
    at.accounts.requestEmailVerification({ username: 'ann' }, caller)
  assert.equal((await failureOf(ask(as('bob')))).code, Code.PermissionDenied)
  assert.equal((await failureOf(ask(asAnonymous()))).code, Code.Unauthenticated)
  const first = tokenIn(at)
  await ask(as('ann'))
  assert.equal(at.mails.length, 2)
  assert.deepEqual(await failureOf(verify(at, first)), linkRefused)
  await verify(at, tokenIn(at))
  await ask(as('ann'))
  assert.equal(at.mails.length, 2)
})

test('mails show the current site name and announcement', async () => {
  await using at = await start('local')
  await at.client.createUser({ ...ann, username: 'root', email: 'root@example.org' }, asAnonymous())
  await at.db.updateTable('account').set({ is_staff: true }).execute()
  await at.client.createUser(ann, asAnonymous())
  assert.match(at.mails[1]?.text ?? '', /on Figbase was[\s\S]*-- \nSent by Figbase\./)
  const root = actAs(user('root', true))
  const change = { siteName: 'Lab 9', announcement: 'Down on Friday' }
  await at.site.updateSettings(change, root)
  await verify(at, tokenIn(at))
  await at.client.createUser({ ...ann, username: 'bob' }, asAnonymous())
  await at.accounts.requestPasswordReset({ email: ann.email }, asAnonymous())
  await at.settled()
  await at.accounts.updateUser({ username: 'ann', password: 'battery staple' }, as('ann'))
  for (const isActive of [false, true]) {
    await at.accounts.setUserActive({ username: 'ann', isActive }, root)
  }
  await at.accounts.updateUser({ username: 'ann', email: 'ann@example.net' }, as('ann'))
  const subjects = at.mails.slice(2).map(({ subject, text, html }) => {
    assert.match(text, / on Lab 9[ .]/, subject)
    assert.match(text, /\nAnnouncement of Lab 9: Down on Friday\n\n-- \nSent by Lab 9\./, subject)
    assert.match(html, />Announcement of Lab 9: Down on Friday</, subject)
    return subject
  })
  assert.deepEqual(subjects, [
    'You have an account already',
    'Choose a new password',
    'Your password was changed',
    'Your account was deactivated',
    'Your account is active again',
    'Your e-mail address was changed',
    'Confirm your e-mail address',
  ])
})

test('a link is invalidated by expiry and by a new address', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const first = tokenIn(at)
  await at.accounts.updateUser({ username: 'ann', email: 'ann@example.net' }, as('ann'))
  assert.deepEqual(await failureOf(verify(at, first)), linkRefused)
  await at.db.updateTable('mail_token').set({ expires_on: sql<string>`now()` }).execute()
  assert.deepEqual(await failureOf(verify(at, tokenIn(at))), linkRefused)
  assert.equal(await isConfirmed(at), false)
  await purgeMailTokens.run(at.ctx, new AbortController().signal)
  assert.deepEqual(await at.db.selectFrom('mail_token').selectAll().execute(), [])
})

test('one of several accounts can confirm an address, also concurrently', async () => {
  await using at = await start('local')
  const names = ['ann', 'bob', 'carl', 'dora']
  for (const username of names) await at.client.createUser({ ...ann, username }, asAnonymous())
  const tokens = names.map((_, index) => tokenIn(at, index))
  const outcomes = await Promise.allSettled(tokens.map((token) => verify(at, token)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const loser = outcomes.findIndex(({ status }) => status === 'rejected')
  const { code, error } = await failureOf(verify(at, tokens[loser] ?? ''))
  assert.deepEqual([code, error], [Code.AlreadyExists, 'email_taken'])
  const holders = await Promise.all(names.map((username) => isConfirmed(at, username)))
  assert.equal(holders.filter(Boolean).length, 1)
})
