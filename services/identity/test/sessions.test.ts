import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { SignedInKind } from '@figbase/proto/identity/accounts'
import { sql } from 'kysely'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

const ended = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }
const { username, password } = ann

async function signedIn({ signIn }: Started) {
  const { session } = await signIn.createSession({ username, password }, asAnonymous())
  return session?.token ?? ''
}

const usernameOf = async ({ signIn }: Started, token: string) =>
  (await signIn.authenticateSession({ token }, actAsSystem())).principal?.username

test('a session authenticates its user until it is ended', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const wrong = { username, password: 'wrong horse' }
  const failure = await failureOf(at.signIn.createSession(wrong, asAnonymous()))
  assert.equal(failure.error, 'authentication_failed')
  const [one, other] = [await signedIn(at), await signedIn(at)]
  assert.notEqual(one, other)
  assert.equal(await usernameOf(at, one), 'ann')
  await at.signIn.endSession({ token: one }, asAnonymous())
  assert.deepEqual(await failureOf(usernameOf(at, one)), ended)
  assert.equal(await usernameOf(at, other), 'ann', 'another browser stays signed in')
})

test('the user of a session gets a short access token, until the session is ended', async () => {
  await using at = await start('local', { ACCESS_TOKEN_LIFETIME: '90s' })
  await at.client.createUser(ann, asAnonymous())
  const token = await signedIn(at)
  const issue = (call = actAsSystem()) => at.signIn.issueSessionToken({ token }, call)
  const { access, lifeSeconds } = await issue()
  assert.equal(lifeSeconds, 90)
  const [, payload = ''] = access.split('.')
  const { sub, exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  assert.deepEqual([sub, exp - iat], ['ann', 90])
  assert.equal((await failureOf(issue(as('ann')))).code, Code.PermissionDenied)
  await at.signIn.endSession({ token }, asAnonymous())
  assert.deepEqual(await failureOf(issue()), ended)
})

test('a new password and a deactivation end sessions', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const before = await signedIn(at)
  await at.db.updateTable('account').set({ token_generation: 2 }).execute()
  assert.deepEqual(await failureOf(usernameOf(at, before)), ended)
  const after = await signedIn(at)
  await at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual(await failureOf(usernameOf(at, after)), ended)
})

test('a session expires as configured, and other tokens are rejected', async () => {
  await using at = await start('local', { SESSION_LIFETIME: '1ms' })
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  for (const token of [tokens?.access ?? '', tokens?.refresh ?? '', '', 'x', 'a.b.c']) {
    assert.deepEqual(await failureOf(usernameOf(at, token)), ended)
  }
  const { session } = await at.signIn.createSession({ username, password }, asAnonymous())
  const lifeMs = Number(session?.expiresOn?.seconds) * 1000 - Date.now()
  assert.ok(lifeMs <= 0)
  assert.deepEqual(
    await failureOf(at.client.refreshToken({ refresh: session?.token ?? '' }, asAnonymous())),
    ended,
  )
})

test('lists sessions, and ends one or all', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser({ ...ann, userAgent: 'first' }, asAnonymous())
  const remembered = { username, password, rememberMe: true, userAgent: 'R\nclient' }
  const program = await at.client.issueToken(remembered, asAnonymous())
  const browser = await signedIn(at)
  const seen = async () => (await at.accounts.listSessions({ username }, as('ann'))).sessions
  const all = await seen()
  assert.deepEqual(
    all.map(({ kind, userAgent }) => [SignedInKind[kind], userAgent]),
    [
      ['BROWSER', ''],
      ['TOKEN', 'R client'],
      ['TOKEN', 'first'],
    ],
  )
  const end = (id: string | undefined, caller = as('ann')) =>
    at.accounts.endSessions({ username, ...(id && { id }) }, caller)
  await end(all[0]?.id)
  assert.deepEqual(await failureOf(usernameOf(at, browser)), ended)
  assert.equal((await failureOf(end(all[0]?.id))).code, Code.NotFound, 'it has already ended')
  await end(all[1]?.id)
  const refresh = (token = '') => at.client.refreshToken({ refresh: token }, asAnonymous())
  assert.deepEqual(await failureOf(refresh(program.tokens?.refresh)), ended)
  assert.ok((await refresh(tokens?.refresh)).access, 'the other one stays valid')
  assert.equal((await seen()).length, 1)

  const other = { ...ann, username: 'bob', email: 'bob@example.org' }
  await at.client.createUser(other, asAnonymous())
  const bobs = await at.accounts.listSessions({ username: 'bob' }, as('bob'))
  assert.equal((await failureOf(end(bobs.sessions[0]?.id))).code, Code.NotFound)
  assert.equal((await failureOf(end(undefined, as('bob')))).code, Code.PermissionDenied)
  await at.db.updateTable('account').set({ is_staff: true }).where('username', '=', 'bob').execute()
  await end(undefined, actAs(user('bob', true)))
  assert.deepEqual(await seen(), [])
  assert.deepEqual(await failureOf(refresh(tokens?.refresh)), ended)
})

test('the last use of a session is updated once an hour', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const browser = await signedIn(at)
  const ago = (minutes: number) =>
    sql`update sign_in set last_used_on = now() - ${minutes} * interval '1 minute'`.execute(at.db)
  const recent = async () => {
    await usernameOf(at, browser)
    await at.client.refreshToken({ refresh: tokens?.refresh ?? '' }, asAnonymous())
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from sign_in where last_used_on > now() - interval '1 minute'`.execute(
      at.db,
    )
    return rows[0]?.count
  }
  await ago(50)
  assert.equal(await recent(), 0)
  await ago(61)
  assert.equal(await recent(), 2)
})
