import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem } from '@figbase/kit/rpc'
import { assertUses, plansOf, userWithKey } from '@figbase/kit/testing'
import { ApiKeyAccess } from '@figbase/proto/common'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/db/schema.js'
import { hashOf } from '../src/domain/random-token.js'
import { hashOfUserCode } from '../src/domain/user-code.js'
import { purgeDeviceLogins } from '../src/periodic/purge-device-logins.js'
import {
  decideDeviceLogin,
  deleteExpiredDeviceLogins,
  findOpenDeviceLogin,
  pollDeviceLogin,
} from '../src/queries/device-logins.js'
import { as, asAnonymous, failureOf, start, type Transport } from './support/started.js'

const refusedWith = (error: string, ...fields: string[]) => ({
  code: Code.InvalidArgument,
  error,
  fields,
})
const pending = refusedWith('authorization_pending')
const expired = refusedWith('expired_token')
const wrongCode = refusedWith('invalid_request', 'code')

async function startWith(transport: Transport, env: Record<string, string> = {}) {
  const at = await start(transport, { DEVICE_LOGIN_INTERVAL: '1ms', ...env })
  await sql`insert into account (username, email, first_name, last_name, password_hash)
    select name, '', '', '', '' from unnest('{ann,bob}'::text[]) name`.execute(at.db)
  return { ...at, [Symbol.asyncDispose]: at[Symbol.asyncDispose] }
}
type Bench = Awaited<ReturnType<typeof startWith>>

const begin = (at: Bench, name = 'figbase on laptop', access = ApiKeyAccess.UNSPECIFIED) =>
  at.deviceLogin.beginDeviceLogin(
    { name, access, userAgent: 'figbase/1' },
    asAnonymous('192.0.2.1'),
  )
const redeem = (at: Bench, deviceCode: string) =>
  at.deviceLogin.redeemDeviceLogin({ deviceCode }, asAnonymous())
const decide = (at: Bench, userCode: string, allow = true, caller = as('ann')) =>
  at.deviceLogin.decideDeviceLogin({ userCode, allow }, caller)
const read = (at: Bench, userCode: string, caller = as('ann')) =>
  at.deviceLogin.getDeviceLogin({ userCode }, caller)

test('a program gets a key of the user who allowed its login', async () => {
  await using at = await startWith('http2')
  const begun = await begin(at, 'figbase on laptop', ApiKeyAccess.PUBLISH)
  assert.deepEqual([begun.lifeSeconds, begun.intervalSeconds], [600, 1])
  assert.deepEqual(await failureOf(redeem(at, begun.deviceCode)), pending)

  const shown = await read(at, begun.userCode)
  const { name, access, userAgent, address } = shown
  assert.deepEqual(
    [name, access, userAgent, address],
    ['figbase on laptop', ApiKeyAccess.PUBLISH, 'figbase/1', '192.0.2.1'],
  )
  await decide(at, begun.userCode.toLowerCase())
  for (const call of [read(at, begun.userCode), decide(at, begun.userCode, false)]) {
    assert.deepEqual(await failureOf(call), wrongCode, 'decided once')
  }
  const { key, token } = await redeem(at, begun.deviceCode)
  assert.deepEqual([key?.owner, key?.name, key?.workspaceId], ['ann', name, ''])
  const { principal } = await at.client.authenticateApiKey({ token }, actAsSystem())
  assert.deepEqual([principal?.username, principal?.apiKey?.access], ['ann', ApiKeyAccess.PUBLISH])
  assert.deepEqual(await failureOf(redeem(at, begun.deviceCode)), expired, 'redeemed once')
})

test('two calls at once make one key', async () => {
  await using at = await startWith('local')
  const { deviceCode, userCode } = await begin(at)
  await decide(at, userCode)
  const calls = await Promise.allSettled([redeem(at, deviceCode), redeem(at, deviceCode)])
  assert.deepEqual(calls.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await at.client.listApiKeys({}, as('ann'))).keys.length, 1)
})

test('keys with the same name get a number', async () => {
  await using at = await startWith('local')
  for (const expected of ['figbase', 'figbase (2)', 'figbase (3)']) {
    const { deviceCode, userCode } = await begin(at, 'figbase')
    await decide(at, userCode)
    assert.equal((await redeem(at, deviceCode)).key?.name, expected)
  }
})

test('a refused login ends', async () => {
  await using at = await startWith('local')
  const { deviceCode, userCode } = await begin(at)
  await decide(at, userCode, false)
  assert.deepEqual(await failureOf(redeem(at, deviceCode)), refusedWith('access_denied'))
  assert.deepEqual(await failureOf(redeem(at, deviceCode)), expired)
})

test('a program that polls too often gets slow_down', async () => {
  await using at = await startWith('local', { DEVICE_LOGIN_INTERVAL: '1h' })
  const { deviceCode, userCode } = await begin(at)
  assert.deepEqual(await failureOf(redeem(at, deviceCode)), pending)
  assert.deepEqual(await failureOf(redeem(at, deviceCode)), refusedWith('slow_down'))
  await decide(at, userCode)
  assert.ok((await redeem(at, deviceCode)).token, 'an allowed login does not wait')
})

test('a login expires, before and after the decision, and is deleted', async () => {
  await using at = await startWith('local')
  const [undecided, allowed] = [await begin(at), await begin(at)]
  await decide(at, allowed.userCode)
  await sql`update device_login set expires_on = now()`.execute(at.db)
  assert.deepEqual(await failureOf(read(at, undecided.userCode)), wrongCode)
  assert.deepEqual(await failureOf(decide(at, undecided.userCode)), wrongCode)
  for (const { deviceCode } of [undecided, allowed]) {
    assert.deepEqual(await failureOf(redeem(at, deviceCode)), expired)
  }
  const fresh = await begin(at)
  await purgeDeviceLogins.run(at.ctx, new AbortController().signal)
  const { rows } = await sql<{ hash: Buffer }>`
    select device_code_hash as hash from device_login`.execute(at.db)
  assert.deepEqual(
    rows.map(({ hash }) => hash),
    [hashOf(fresh.deviceCode)],
  )
})

test('a new password, a deactivation and a deletion end an allowed login', async () => {
  await using at = await startWith('local')
  const changes = [
    sql`update account set token_generation = token_generation + 1 where username = 'ann'`,
    sql`update account set is_active = false where username = 'ann'`,
  ]
  for (const change of changes) {
    const { deviceCode, userCode } = await begin(at)
    await decide(at, userCode)
    await change.execute(at.db)
    const { code } = await failureOf(redeem(at, deviceCode))
    assert.ok(code === Code.InvalidArgument || code === Code.Unauthenticated, String(code))
  }
  assert.equal((await at.client.listApiKeys({}, as('ann'))).keys.length, 0)
})

test('a user with too many keys gets none, and may try again', async () => {
  await using at = await startWith('local', { API_KEYS_MAX: '1' })
  const { key } = await at.client.createApiKey({ name: 'first' }, as('ann'))
  const { deviceCode, userCode } = await begin(at)
  await decide(at, userCode)
  assert.deepEqual(await failureOf(redeem(at, deviceCode)), refusedWith('invalid_request', 'name'))
  await at.client.deleteApiKey({ id: key?.id ?? '' }, as('ann'))
  assert.ok((await redeem(at, deviceCode)).token)
})

test('only signed-in users decide, and not with a key', async () => {
  await using at = await startWith('local')
  const { userCode } = await begin(at)
  for (const call of [
    read,
    (...[bench, code, caller]: Parameters<typeof read>) => decide(bench, code, true, caller),
  ]) {
    const anonymous = await failureOf(call(at, userCode, asAnonymous()))
    assert.equal(anonymous.code, Code.Unauthenticated)
    const withKey = await failureOf(call(at, userCode, actAs(userWithKey('ann', ''))))
    assert.equal(withKey.code, Code.PermissionDenied)
  }
  await decide(at, userCode)
})

test('unknown codes are limited for each user, and starts for each address', async () => {
  await using at = await startWith('local', {
    FAILED_USER_CODES_PER_MINUTE_AND_USER_MAX: '3',
    DEVICE_LOGINS_PER_HOUR_AND_ADDRESS_MAX: '2',
  })
  const { userCode } = await begin(at)
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(await failureOf(read(at, 'BBBB-BBBB')), wrongCode)
  }
  for (const call of [read(at, userCode), decide(at, userCode)]) {
    assert.equal((await failureOf(call)).error, 'too_many_failures')
  }
  await decide(at, userCode, true, as('bob'))
  await begin(at)
  assert.equal((await failureOf(begin(at))).error, 'too_many_device_logins')
})

test('names and accesses are checked', async () => {
  await using at = await startWith('local')
  for (const name of ['', 'x'.repeat(101), 'a\u0000b']) {
    assert.deepEqual(await failureOf(begin(at, name)), refusedWith('invalid_request', 'name'))
  }
  const access = 9 as ApiKeyAccess
  assert.deepEqual(
    await failureOf(begin(at, 'x', access)),
    refusedWith('invalid_request', 'access'),
  )
})

test('the tables store no code', async () => {
  await using at = await startWith('local')
  const { deviceCode, userCode } = await begin(at)
  const { rows } = await sql<{ row: string }>`select d::text as row from device_login d`.execute(
    at.db,
  )
  const [{ row = '' } = {}] = rows
  assert.ok(row.includes('figbase on laptop'))
  for (const code of [deviceCode, userCode, userCode.replace('-', '')]) {
    assert.ok(!row.includes(code) && !row.includes(Buffer.from(code).toString('hex')))
  }
})

test('every query uses its index', async () => {
  await using at = await startWith('local')
  await sql`
    insert into device_login (device_code_hash, user_code_hash, name, access, user_agent, address, expires_on)
    select sha256(n::text::bytea), sha256((n || 'u')::bytea), '', 'full', '', '', now() + n * interval '1 s'
      from generate_series(1, 10000) n`.execute(at.db)
  await sql`analyze device_login`.execute(at.db)
  const plans = (run: (db: Kysely<Database>) => Promise<unknown>, text: RegExp, values: string[]) =>
    plansOf<Database>((work) => at.db.transaction().execute(work), run, text, values)
  const hash = hashOfUserCode('BCDF-GHJK')
  const hashText = `'\\x${hash.toString('hex')}'`
  const byUserCode = ['device_login_user_code_hash_key']
  assertUses(
    await plans((db) => findOpenDeviceLogin(db, hash), /created_on from/, [hashText]),
    byUserCode,
  )
  const decision = { userCodeHash: hash, username: 'ann', isAllowed: true }
  const decided = await plans((db) => decideDeviceLogin(db, decision), /set is_allowed/, [
    'true',
    hashText,
    `'ann'`,
  ])
  assertUses(decided, [...byUserCode, 'account_pkey'])
  const polled = await plans((db) => pollDeviceLogin(db, hash, 1000), /with before/, [
    hashText,
    '1000',
  ])
  assertUses(polled, ['device_login_pkey'])
  const purged = await plans(deleteExpiredDeviceLogins, /login where expires_on/, [])
  assertUses(purged, ['device_login_expiry_idx'])
})
