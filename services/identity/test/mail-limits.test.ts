import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { ann, as, asAnonymous, failureOf, start } from './support/started.js'

const tooMany = (error: string) => ({ code: Code.ResourceExhausted, error, fields: [] })
const password = 'a newer horse'

test('limits mails per recipient without disclosing whether the address is known', async () => {
  await using at = await start('local', { MAILS_PER_HOUR_AND_RECIPIENT_MAX: '3' })
  await at.client.createUser(ann, asAnonymous())
  const ask = (email: string) => at.accounts.requestPasswordReset({ email }, asAnonymous())
  await ask(ann.email)
  await ask('ANN@Example.org')
  assert.deepEqual(await failureOf(ask(ann.email)), tooMany('too_many_mails'))
  for (let n = 0; n < 3; n++) await ask('nobody@example.org')
  assert.deepEqual(await failureOf(ask('nobody@example.org')), tooMany('too_many_mails'))
  const again = at.accounts.requestEmailVerification({ username: 'ann' }, as('ann'))
  assert.deepEqual(await failureOf(again), tooMany('too_many_mails'))
  await at.settled()
  const mails = at.mails.length
  // Sign-up and address changes still succeed: the mail can be requested later.
  await at.client.createUser({ ...ann, username: 'bob' }, asAnonymous())
  await at.accounts.updateUser({ username: 'bob', email: 'nobody@example.org' }, as('bob'))
  assert.equal(at.mails.length, mails)
})

test('limits mails per client address', async () => {
  await using at = await start('http2', { MAILS_PER_HOUR_AND_ADDRESS_MAX: '3' })
  const ask = (n: number, client: string) =>
    at.accounts.requestPasswordReset({ email: `a${n}@example.org` }, asAnonymous(client))
  for (let n = 0; n < 3; n++) await ask(n, '192.0.2.1')
  assert.deepEqual(await failureOf(ask(3, '192.0.2.1')), tooMany('too_many_mails'))
  await ask(4, '192.0.2.2')
})

test('blocks a client address after too many invalid links', async () => {
  await using at = await start('local', { FAILED_LINKS_PER_MINUTE_AND_ADDRESS_MAX: '4' })
  await at.client.createUser(ann, asAnonymous())
  await at.accounts.requestPasswordReset({ email: ann.email }, asAnonymous())
  await at.settled()
  const token = /password-reset\/(\S{43})/.exec(at.mails.at(-1)?.text ?? '')?.[1] ?? ''
  const reset = (tried: string, client: string, wanted = password) =>
    at.accounts.resetPassword({ token: tried, password: wanted }, asAnonymous(client))
  const verify = (client: string) =>
    at.accounts.verifyEmail({ token: 'x', username: '' }, asAnonymous(client))
  // A rejected password does not count as an invalid link.
  for (let n = 0; n < 5; n++) {
    assert.deepEqual((await failureOf(reset(token, '192.0.2.1', 'short'))).fields, ['password'])
  }
  for (let n = 0; n < 2; n++) {
    assert.deepEqual((await failureOf(reset('x', '192.0.2.1'))).fields, ['token'])
    assert.deepEqual((await failureOf(verify('192.0.2.1'))).fields, ['token'])
  }
  assert.deepEqual(await failureOf(reset(token, '192.0.2.1')), tooMany('too_many_failures'))
  assert.deepEqual(await failureOf(verify('192.0.2.1')), tooMany('too_many_failures'))
  await reset(token, '192.0.2.2')
})
