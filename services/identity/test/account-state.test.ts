import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import {
  ann,
  as,
  asAnonymous,
  failureOf,
  type Started,
  start,
  type Transport,
} from './support/started.js'

const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const last = { code: Code.FailedPrecondition, error: 'last_administrator', fields: [] }
const staff = (username = 'root') => actAs(user(username, true))
const key = { name: 'nightly' }

/** With ann, and the only administrator. */
async function startWithStaff(transport: Transport = 'local') {
  const at = await start(transport)
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  await at.client.createUser({ ...ann, username: 'root', email: 'root@example.org' }, asAnonymous())
  await setRow(at, 'root', { is_staff: true, email_confirmed: true })
  await setRow(at, 'ann', { email_confirmed: true })
  return Object.assign(at, { refresh: tokens?.refresh ?? '' })
}

const setRow = (at: Started, username: string, row: Record<string, boolean>) =>
  at.db.updateTable('account').set(row).where('username', '=', username).execute()
const setActive = (at: Started, isActive: boolean, caller = staff(), username = 'ann') =>
  at.accounts.setUserActive({ username, isActive }, caller)
const setStaff = (at: Started, isStaff: boolean, caller = staff(), username = 'ann') =>
  at.accounts.setUserStaff({ username, isStaff }, caller)

test('an inactive account cannot be used until it is reactivated', async () => {
  await using at = await startWithStaff('http2')
  const { refresh } = at
  const { token } = await at.client.createApiKey(key, as('ann'))
  await at.accounts.requestPasswordReset({ email: ann.email }, asAnonymous())
  await at.settled()
  const link = /password-reset\/(\S{43})/.exec(at.mails.at(-1)?.text ?? '')?.[1] ?? ''
  const { state } = await setActive(at, false)
  assert.deepEqual([state?.username, state?.isActive, state?.isStaff], ['ann', false, false])
  assert.match(at.mails.at(-1)?.subject ?? '', /deactivated/)
  const password = 'a newer horse'
  const failures = await Promise.all([
    failureOf(at.client.issueToken(ann, asAnonymous())),
    failureOf(at.client.refreshToken({ refresh }, asAnonymous())),
    failureOf(at.accounts.resetPassword({ token: link, password }, asAnonymous())),
  ])
  assert.deepEqual(
    failures.map(({ error }) => error),
    ['authentication_failed', 'token_not_valid', 'invalid_request'],
  )
  const search = await at.client.searchUsers({ query: 'ann' }, as('root'))
  const seen = search.users.map(({ username }) => username)
  assert.deepEqual(seen, ['root'])
  assert.equal(await isValidKey(at, token), false)

  await setActive(at, true)
  assert.match(at.mails.at(-1)?.subject ?? '', /active again/)
  await at.client.issueToken(ann, asAnonymous())
  const old = await failureOf(at.client.refreshToken({ refresh }, asAnonymous()))
  assert.equal(old.error, 'token_not_valid')
  assert.equal(await isValidKey(at, token), true)
})

test('only callers who are staff in the table may change the state', async () => {
  await using at = await startWithStaff('http2')
  const bound = actAs({ ...userWithKey('root', ''), isStaff: true })
  assert.deepEqual(await failureOf(setStaff(at, true, bound)), denied)
  for (const caller of [as('bob'), as('ann'), as('root'), staff('bob'), staff('ann')]) {
    assert.deepEqual(await failureOf(setActive(at, false, caller)), denied)
    assert.deepEqual(await failureOf(setStaff(at, true, caller)), denied)
  }
  const anonymous = await failureOf(setActive(at, false, asAnonymous()))
  assert.equal(anonymous.code, Code.Unauthenticated)
  for (const username of ['nobody', '', 'a\0']) {
    const unknown = await failureOf(setActive(at, false, staff(), username))
    assert.equal(unknown.code, Code.NotFound)
  }
  const row = await at.db
    .selectFrom('account')
    .selectAll()
    .where('username', '=', 'ann')
    .executeTakeFirstOrThrow()
  assert.deepEqual([row.is_active, row.is_staff], [true, false])
})

const isValidKey = (at: Started, token: string) =>
  at.client.authenticateApiKey({ token }, actAsSystem()).then(
    () => true,
    () => false,
  )

test('the last active administrator cannot be removed, also concurrently', async () => {
  await using at = await startWithStaff()
  assert.deepEqual(await failureOf(setActive(at, false, staff(), 'root')), last)
  assert.deepEqual(await failureOf(setStaff(at, false, staff(), 'root')), last)
  const { state } = await setStaff(at, true)
  assert.equal(state?.isStaff, true)
  const outcomes = await Promise.allSettled([
    setActive(at, false, staff('root'), 'root'),
    setStaff(at, false, staff('ann'), 'ann'),
  ])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const left = await at.db
    .selectFrom('account')
    .select('username')
    .where('is_staff', '=', true)
    .where('is_active', '=', true)
    .execute()
  assert.equal(left.length, 1)
})

test('setting the same state again changes nothing and sends no mail', async () => {
  await using at = await startWithStaff()
  const mails = at.mails.length
  for (let n = 0; n < 2; n++) await setActive(at, false)
  assert.equal(at.mails.length, mails + 1)
  for (let n = 0; n < 2; n++) await setStaff(at, true)
  assert.equal(at.mails.length, mails + 1)
})
