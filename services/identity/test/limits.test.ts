import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { actAs, anonymous, system, user } from '@figbase/kit/rpc'
import {
  redisSkipReason,
  signInByDevice,
  startRedisServer,
  startTestService,
} from '@figbase/kit/testing'
import { IdentityService } from '@figbase/proto/identity'
import { identity } from '../src/index.js'
import { startWithProvider } from './support/sso.js'
import { ann, failureOf, type Started, start } from './support/started.js'

const from = (address: string) => actAs(anonymous, '', address)
const [here, there] = ['192.0.2.1', '192.0.2.2']

const wrong = (username: string) => ({ username, password: 'wrong horse' })
const failed = 'authentication_failed'
const tooMany = { code: Code.ResourceExhausted, error: 'too_many_failures', fields: [] }

/** The outcome of a sign-in: the error, or that it succeeded. */
async function signIn({ client }: Pick<Started, 'client'>, credentials: object, address: string) {
  const error = await client.issueToken(credentials, from(address)).then(
    () => undefined,
    (error: unknown) => ConnectError.from(error),
  )
  return error ? detailOf(error)?.error : 'signed in'
}

test('blocks an address after failures for any accounts, without affecting others', async () => {
  await using at = await start('http2', { FAILED_SIGN_INS_PER_MINUTE_AND_ADDRESS_MAX: '5' })
  await at.client.createUser(ann, from(there))
  for (const name of ['ann', 'bob', 'cyd', 'dan', 'ann']) {
    assert.equal(await signIn(at, wrong(name), here), failed)
    // A malformed username is not counted.
    assert.equal(await signIn(at, wrong('a b'), here), failed)
  }
  assert.equal(await signIn(at, ann, here), 'too_many_failures')
  assert.equal(await signIn(at, ann, there), 'signed in')
  assert.equal(await signIn(at, ann, ''), 'signed in')
})

test('returns the time to wait after too many failures', async () => {
  await using at = await start('local', { FAILED_SIGN_INS_PER_MINUTE_MAX: '1' })
  assert.equal(await signIn(at, wrong('ann'), here), failed)
  const error = await at.client.issueToken(wrong('ann'), from(here)).then(
    () => undefined,
    (error: unknown) => ConnectError.from(error),
  )
  const { error: name, retryAfterSeconds = 0 } = (error && detailOf(error)) ?? {}
  assert.equal(name, 'too_many_failures')
  assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= 60, `${retryAfterSeconds} s`)
})

test('failures from one address do not lock out an account, from many addresses they do', async () => {
  await using at = await start('local', {
    FAILED_SIGN_INS_PER_MINUTE_MAX: '2',
    FAILED_SIGN_INS_PER_MINUTE_AND_ACCOUNT_MAX: '5',
  })
  await at.client.createUser(ann, from(here))
  for (let n = 0; n < 2; n++) assert.equal(await signIn(at, wrong('ann'), there), failed)
  assert.equal(await signIn(at, ann, there), 'too_many_failures')
  assert.equal(await signIn(at, ann, here), 'signed in')
  for (let n = 3; n < 6; n++) assert.equal(await signIn(at, wrong('ann'), `192.0.2.${n}`), failed)
  assert.equal(await signIn(at, ann, here), 'too_many_failures')
})

test('few failures lock out no user, and successes are not counted', async () => {
  await using at = await start('local', {
    FAILED_SIGN_INS_PER_MINUTE_MAX: '6',
    FAILED_SIGN_INS_PER_MINUTE_AND_ADDRESS_MAX: '6',
  })
  await at.client.createUser(ann, from(here))
  for (let n = 0; n < 5; n++) assert.equal(await signIn(at, wrong('ann'), here), failed)
  for (let n = 0; n < 20; n++) assert.equal(await signIn(at, ann, here), 'signed in')
})

test('counts invalid API keys by address; valid ones always pass', async () => {
  await using at = await start('http2', { FAILED_CREDENTIALS_PER_MINUTE_AND_ADDRESS_MAX: '5' })
  await at.client.createUser(ann, from(here))
  const { token } = await at.client.createApiKey({ name: 'CI' }, actAs(user('ann')))
  const authenticate = (token: string, address: string) =>
    at.client.authenticateApiKey({ token }, actAs(system, '', address))
  for (let n = 0; n < 5; n++) {
    for (let m = 0; m < 3; m++) await authenticate(token, here)
    assert.equal((await failureOf(authenticate('none', here))).error, failed)
  }
  assert.deepEqual(await failureOf(authenticate('none', here)), tooMany)
  assert.equal((await failureOf(authenticate('none', there))).error, failed)
  for (const address of [here, there, '']) await authenticate(token, address)
})

test('counts invalid provider tokens by address, together with API keys', async () => {
  const env = { FAILED_CREDENTIALS_PER_MINUTE_AND_ADDRESS_MAX: '3' }
  await using sso = await startWithProvider('http2', env)
  const { access } = await signInByDevice(sso.provider, 'grace')
  const calls = (address: string) => actAs(system, '', address)
  const authenticate = (token: string, address: string) =>
    sso.at.signIn.authenticateForeignToken({ token }, calls(address))
  const none = access.replace(/[^.]+$/, 'x')
  await authenticate(access, here)
  for (let n = 0; n < 2; n++) {
    assert.equal((await failureOf(authenticate(none, here))).error, 'token_not_valid')
  }
  await failureOf(sso.at.client.authenticateApiKey({ token: 'none' }, calls(here)))
  assert.deepEqual(await failureOf(authenticate(none, here)), tooMany)
  assert.equal((await failureOf(authenticate(none, there))).error, 'token_not_valid')
  await authenticate(access, here)
})

test('limits registrations by address, except by staff', async () => {
  await using at = await start('local', { REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX: '2' })
  const register = (username: string, call = from(here)) =>
    at.client.createUser({ ...ann, username }, call)
  await failureOf(register('a b'))
  await register('a')
  await failureOf(register('a'))
  await register('b')
  const refused = { code: Code.ResourceExhausted, error: 'too_many_registrations', fields: [] }
  assert.deepEqual(await failureOf(register('c')), refused)
  await register('d', from(there))
  await register('e', actAs(user('ann', true), '', here))
  const rows = await at.db.selectFrom('account').select('username').orderBy('username').execute()
  assert.deepEqual(
    rows.map(({ username }) => username),
    ['a', 'b', 'd', 'e'],
  )
})

test('replicas share their counts in Redis', { skip: redisSkipReason() }, async () => {
  await using redis = await startRedisServer()
  const env = { REDIS_URL: redis.url, FAILED_SIGN_INS_PER_MINUTE_MAX: '4' }
  await using one = await start('http2', env)
  const { databaseUrl } = one
  await using replica = await startTestService(identity, { transport: 'http2', databaseUrl, env })
  const other = { client: replica.client(IdentityService) }
  await one.client.createUser(ann, from(here))
  for (const at of [one, other, one, other]) {
    assert.equal(await signIn(at, wrong('ann'), here), failed)
  }
  for (const at of [one, other]) assert.equal(await signIn(at, ann, here), 'too_many_failures')
})

test('rejects limits of zero at startup', async () => {
  await assert.rejects(
    start('local', { FAILED_SIGN_INS_PER_MINUTE_MAX: '0', REDIS_URL: 'http://user:secret@host' }),
    (error: Error) =>
      /FAILED_SIGN_INS_PER_MINUTE_MAX/.test(error.message) &&
      /REDIS_URL/.test(error.message) &&
      !error.message.includes('secret'),
  )
})
