import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { startServing } from '@figbase/kit/service'
import { createTestDatabase } from '@figbase/kit/testing'
import { removeStalePasswordFile } from '../src/admin-password-file.js'
import { identity } from '../src/index.js'
import { ann, as, asAnonymous, failureOf, start } from './support/started.js'

const root = { username: 'root', email: 'root@example.org', password: 'battery staple' }
const folder = await mkdtemp(join(tmpdir(), 'figbase-admin-'))
after(() => rm(folder, { recursive: true }))

test('the system creates the first administrator only', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const { created } = await at.client.ensureAdministrator(root, actAsSystem())
  assert.equal(created, true)
  assert.ok(at.workspaces.includes('root'))
  const own = await at.client.getUser({ username: 'root' }, as('root'))
  assert.equal(own.user?.private?.isStaff, true)
  const other = { ...root, username: 'other' }
  const again = await at.client.ensureAdministrator(other, actAsSystem())
  assert.equal(again.created, false)
  const failure = await failureOf(at.client.getUser({ username: 'other' }, as('root')))
  assert.equal(failure.code, Code.NotFound)
})

test('only the system may call EnsureAdministrator', async () => {
  await using at = await start('http2')
  for (const caller of [asAnonymous(), as('ann'), actAs(user('ann', true))]) {
    const failure = await failureOf(at.client.ensureAdministrator(root, caller))
    assert.deepEqual(failure, {
      code: Code.PermissionDenied,
      error: 'permission_denied',
      fields: [],
    })
  }
  assert.deepEqual(await at.db.selectFrom('account').select('username').execute(), [])
})

test('an administrator is validated like other users', async () => {
  await using at = await start('local')
  const weak = await failureOf(
    at.client.ensureAdministrator({ ...root, password: 'x' }, actAsSystem()),
  )
  assert.deepEqual(weak.fields, ['password'])
  await at.client.createUser({ ...ann, username: 'Root' }, asAnonymous())
  const taken = await failureOf(at.client.ensureAdministrator(root, actAsSystem()))
  assert.equal(taken.error, 'username_taken')
})

test('concurrent calls create one first administrator', async () => {
  await using at = await start('http2')
  const calls = Array.from({ length: 5 }, (_, n) =>
    at.client.ensureAdministrator({ ...root, username: `root${n}` }, actAsSystem()),
  )
  const outcomes = await Promise.all(calls)
  assert.equal(outcomes.filter(({ created }) => created).length, 1)
})

test('startup creates an administrator and writes its password to a private file', async () => {
  const path = join(folder, 'new', 'password')
  await using at = await start('local', { ADMIN_PASSWORD_FILE: path })
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const password = (await readFile(path, 'utf8')).trim()
  assert.ok(password.length >= 32)
  await at.client.issueToken({ username: 'admin', password }, asAnonymous())
  const own = await at.client.getUser({ username: 'admin' }, as('admin'))
  assert.equal(own.user?.private?.isStaff, true)
  while (!at.workspaces.includes('admin')) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('replaces a password file that others could read', async () => {
  const path = join(folder, 'left-over')
  await writeFile(path, 'old', { mode: 0o644 })
  await using at = await start('local', { ADMIN_PASSWORD_FILE: path, ADMIN_USERNAME: 'chief' })
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const password = (await readFile(path, 'utf8')).trim()
  await at.client.issueToken({ username: 'chief', password }, asAnonymous())
})

test('writes no file when a password is configured', async () => {
  const path = join(folder, 'not-written')
  const env = { ADMIN_PASSWORD_FILE: path, ADMIN_PASSWORD: 'given by me' }
  await using at = await start('local', env)
  await at.client.issueToken({ username: 'admin', password: 'given by me' }, asAnonymous())
  await assert.rejects(stat(path), { code: 'ENOENT' })
})

test('a common configured password prevents startup unless an administrator exists', async () => {
  await using database = await createTestDatabase()
  const setting = (password: string) => ({
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'secret',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: password,
  })
  await assert.rejects(startServing(identity, setting('password')), /password: is too common/)
  const first = await startServing(identity, setting('given by me'))
  await first[Symbol.asyncDispose]()
  await using again = await startServing(identity, setting('password'))
  assert.ok(again.port > 0)
})

test('replicas and restarts keep the password and its file', async () => {
  await using database = await createTestDatabase()
  const path = join(folder, 'replicas')
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'secret',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD_FILE: path,
  }
  // Startup does not depend on catalog, which is not available.
  const replicas = await Promise.all([1, 2, 3].map(() => startServing(identity, env)))
  const password = await readFile(path, 'utf8')
  for (const replica of replicas) await replica[Symbol.asyncDispose]()
  await using again = await startServing(identity, env)
  assert.ok(again.port > 0)
  assert.equal(await readFile(path, 'utf8'), password)
})

test('startup fails without leaving a file or user when the administrator is invalid', async () => {
  const path = join(folder, 'failed')
  await assert.rejects(
    start('local', { ADMIN_PASSWORD_FILE: path, ADMIN_USERNAME: 'no good' }),
    /ADMIN_USERNAME: must be/,
  )
  await assert.rejects(stat(path), { code: 'ENOENT' })
  const below = join(folder, 'left-over', 'x')
  await assert.rejects(start('local', { ADMIN_PASSWORD_FILE: below }))
})

test('deletes the password file once the password has changed, also at startup', async () => {
  const file = join(folder, 'changed')
  const exists = () => stat(file).then(Boolean, () => false)
  await using at = await start('local', { ADMIN_PASSWORD_FILE: file })
  const username = 'admin'
  const own = as(username)
  await at.accounts.updateUser({ username, firstName: 'Root' }, own)
  assert.ok(await exists(), 'kept after another change')
  const password = (await readFile(file, 'utf8')).trim()
  await removeStalePasswordFile(at.ctx)
  assert.ok(await exists(), 'kept while its password is valid')
  await at.accounts.updateUser({ username, password: 'battery staple' }, own)
  assert.equal(await exists(), false)
  assert.equal(
    (await failureOf(at.client.issueToken({ username, password }, asAnonymous()))).error,
    'authentication_failed',
  )
  await writeFile(file, `${password}\n`)
  await removeStalePasswordFile(at.ctx)
  assert.equal(await exists(), false, 'deleted at the next start')
})
