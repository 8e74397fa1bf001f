import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { sql } from 'kysely'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const { password } = ann
const staff = () => actAs(user('root', true))
const deleteAnn = (at: Started, caller = as('ann'), given = password) =>
  at.accounts.deleteUser({ username: 'ann', password: given }, caller)
const rowOf = (at: Started, username = 'ann') =>
  at.db.selectFrom('account').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
const setRow = (at: Started, username: string, row: Record<string, boolean>) =>
  at.db.updateTable('account').set(row).where('username', '=', username).execute()

/** The tables that contain a text. */
async function tablesWith(at: Started, text: string): Promise<string[]> {
  const tables = sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`
  const places: string[] = []
  for (const { name } of (await tables.execute(at.db)).rows) {
    const found = sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} t where t::text ilike ${`%${text}%`}`
    if ((await found.execute(at.db)).rows[0]?.n) places.push(name)
  }
  return places
}

test('deletion erases all data except the username, which stays reserved', async () => {
  await using at = await start('http2')
  const secret = 'quetzalcoatl'
  const person = { ...ann, email: `${secret}@example.org`, firstName: secret, lastName: secret }
  const { tokens } = await at.client.createUser(person, asAnonymous())
  await setRow(at, 'ann', { email_confirmed: true })
  const profileJson = `{"${secret}":1}`
  await at.accounts.updateUser({ username: 'ann', profileJson }, as('ann'))
  const { token } = await at.client.createApiKey({ name: secret }, as('ann'))
  await at.accounts.requestPasswordReset({ email: person.email }, asAnonymous())
  await at.settled()
  assert.ok((await tablesWith(at, secret)).includes('account'))

  await deleteAnn(at)
  assert.match(at.mails.at(-1)?.subject ?? '', /deleted/)
  assert.equal(at.deletions.deleted[0], 'ann')
  await at.settled()
  assert.deepEqual(await tablesWith(at, secret), [])
  const usernames = ['ann', 'nobody', 'root']
  const listed = await at.client.listDeletedUsers({ usernames }, actAsSystem())
  assert.deepEqual(listed.usernames, ['ann'])
  const row = await rowOf(at)
  assert.deepEqual(
    [row.username, row.password_hash, row.is_active, row.deleted_on === null],
    ['ann', null, false, false],
  )
  const { refresh = '' } = tokens ?? {}
  const failures = await Promise.all([
    failureOf(at.client.issueToken(person, asAnonymous())),
    failureOf(at.client.refreshToken({ refresh }, asAnonymous())),
    failureOf(at.client.authenticateApiKey({ token }, actAsSystem())),
    failureOf(at.client.getUser({ username: 'ann' }, as('bob'))),
    failureOf(at.client.createUser({ ...person, username: 'Ann' }, asAnonymous())),
    failureOf(at.accounts.updateUser({ username: 'ann', firstName: 'A' }, as('ann'))),
    failureOf(deleteAnn(at)),
  ])
  assert.deepEqual(
    failures.map(({ error }) => error),
    [
      'authentication_failed',
      'token_not_valid',
      'authentication_failed',
      'not_found',
      'username_taken',
      'not_found',
      'not_found',
    ],
  )
  // The address can be used again.
  await at.client.createUser({ ...person, username: 'ann2' }, asAnonymous())
  assert.match(at.mails.at(-1)?.subject ?? '', /Confirm/)
})

test('only the user with their password, or staff, can delete an account; not with an API key', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  await at.client.createUser({ ...ann, username: 'root' }, asAnonymous())
  const before = await rowOf(at)
  for (const given of ['', 'wrong horse', `${password} `]) {
    assert.deepEqual((await failureOf(deleteAnn(at, as('ann'), given))).fields, ['password'])
  }
  const key = actAs(userWithKey('ann'))
  for (const caller of [as('bob'), as('root'), staff(), key]) {
    assert.deepEqual(await failureOf(deleteAnn(at, caller)), denied)
  }
  assert.equal((await failureOf(deleteAnn(at, asAnonymous()))).code, Code.Unauthenticated)
  assert.deepEqual(await rowOf(at), before)
  assert.deepEqual(at.deletions.deleted, [])
  await setRow(at, 'root', { is_staff: true })
  const unknown = at.accounts.deleteUser({ username: 'nobody', password: '' }, staff())
  assert.equal((await failureOf(unknown)).code, Code.NotFound)
  await deleteAnn(at, staff(), '')
  assert.equal((await rowOf(at)).is_active, false)
})

test('rejects the deletion of the last owner of a container and of the last administrator', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const before = await rowOf(at)
  at.deletions.keptBy = [{ id: 'w', name: 'Climate' }]
  assert.deepEqual(await failureOf(deleteAnn(at)), {
    code: Code.FailedPrecondition,
    error: 'last_owner',
    fields: ['w'],
  })
  at.deletions.keptBy = []
  assert.deepEqual(await rowOf(at), before)
  await setRow(at, 'ann', { is_staff: true })
  assert.equal((await failureOf(deleteAnn(at))).error, 'last_administrator')
  assert.equal((await rowOf(at)).deleted_on, null)
})

test('a user without a password can delete the account without one', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await at.db.updateTable('account').set({ password_hash: null }).execute()
  await deleteAnn(at, as('ann'), '')
  assert.notEqual((await rowOf(at)).deleted_on, null)
})

test('deletes the account while catalog is unavailable; the job deletes its data there later', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  at.deletions.deletionFails = true
  await deleteAnn(at)
  assert.notEqual((await rowOf(at)).deleted_on, null)
  assert.deepEqual(at.deletions.deleted, [])
  const waiting = sql<{
    key: string
  }>`select key from job where name = 'leave-catalog' order by key`
  const keys = (await waiting.execute(at.db)).rows.map(({ key }) => key)
  // The second job runs after the last access token has expired.
  assert.deepEqual(keys, ['ann', 'ann again'])
  at.deletions.deletionFails = false
  await at.settled()
  while (at.deletions.deleted.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(at.deletions.deleted, ['ann'])
})

test('deletes the choices about notifications after the last access token has expired', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await deleteAnn(at)
  await at.settled()
  assert.deepEqual(at.deletions.deletedFromTasks, [])
  await sql`update job set run_at = now() where name = 'leave-tasks'`.execute(at.db)
  while (at.deletions.deletedFromTasks.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(at.deletions.deletedFromTasks, ['ann'])
})
