import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { keysFrom, signRefreshToken, userTokenPurpose, verifyAccessToken } from '@figbase/kit/keys'
import { actAs, user } from '@figbase/kit/rpc'
import { sql } from 'kysely'
import { deleteExpiredSpentTokens } from '../src/queries/spent-tokens.js'
import { ann, asAnonymous, failureOf, start } from './support/started.js'

const key = keysFrom('a secret of the tests').derive(userTokenPurpose)
const refused = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }

test('a refresh token yields access tokens, other tokens do not', async () => {
  await using at = await start('http2')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const { access = '', refresh = '' } = tokens ?? {}
  const renewed = await at.client.refreshToken({ refresh }, asAnonymous())
  assert.deepEqual(verifyAccessToken(renewed.access, key), { username: 'ann', isStaff: false })
  const ofNobody = { username: 'nobody', isStaff: false, generation: 1 }
  for (const bad of [
    access,
    '',
    'x',
    signRefreshToken(ofNobody, key, 60_000),
    signRefreshToken({ ...ofNobody, username: 'ann' }, key, -1000),
  ]) {
    const call = at.client.refreshToken({ refresh: bad }, asAnonymous())
    assert.deepEqual(await failureOf(call), refused)
  }
})

test('a refresh token is invalid with a new generation, and while its user is inactive', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const { refresh = '' } = tokens ?? {}
  await at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual(await failureOf(at.client.refreshToken({ refresh }, asAnonymous())), refused)
  await at.db.updateTable('account').set({ is_active: true }).execute()
  await at.client.refreshToken({ refresh }, asAnonymous())
  const next = sql<number>`token_generation + 1`
  await at.db.updateTable('account').set({ token_generation: next }).execute()
  assert.deepEqual(await failureOf(at.client.refreshToken({ refresh }, asAnonymous())), refused)
})

test('a new staff status applies from the next access token on', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  await at.db.updateTable('account').set({ is_staff: true }).execute()
  const { refresh = '' } = tokens ?? {}
  const { access } = await at.client.refreshToken({ refresh }, asAnonymous())
  assert.equal(verifyAccessToken(access, key).isStaff, true)
})

test('revoking a token does not affect other tokens of the user', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const { refresh = '' } = tokens ?? {}
  const credentials = { username: ann.username, password: ann.password }
  const { tokens: others } = await at.client.issueToken(credentials, asAnonymous())
  await at.client.revokeToken({ refresh }, asAnonymous())
  for (const call of [
    () => at.client.refreshToken({ refresh }, asAnonymous()),
    () => at.client.revokeToken({ refresh }, asAnonymous()),
    () => at.client.revokeToken({ refresh, all: true }, asAnonymous()),
    () => at.client.revokeToken({ refresh: tokens?.access ?? '' }, asAnonymous()),
    () => at.client.revokeToken({}, asAnonymous()),
  ]) {
    assert.deepEqual(await failureOf(call()), refused)
  }
  await at.client.refreshToken({ refresh: others?.refresh ?? '' }, asAnonymous())
})

test('revokes all tokens of a user, but not later ones', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const credentials = { username: ann.username, password: ann.password }
  const { tokens: others } = await at.client.issueToken(credentials, asAnonymous())
  await at.client.revokeToken({ refresh: tokens?.refresh ?? '', all: true }, asAnonymous())
  for (const refresh of [tokens?.refresh, others?.refresh]) {
    const call = at.client.refreshToken({ refresh: refresh ?? '' }, asAnonymous())
    assert.deepEqual(await failureOf(call), refused)
  }
  const { tokens: newer } = await at.client.issueToken(credentials, asAnonymous())
  await at.client.refreshToken({ refresh: newer?.refresh ?? '' }, asAnonymous())
})

test('keeps revoked tokens until they expire', async () => {
  await using at = await start('local')
  const soon = new Date(Date.now() + 60_000)
  const ids = [randomUUID(), randomUUID()]
  await at.db
    .insertInto('spent_token')
    .values(ids.map((id, n) => ({ id, expires_on: n === 0 ? new Date(0) : soon })))
    .execute()
  await deleteExpiredSpentTokens(at.db)
  const left = await at.db.selectFrom('spent_token').select('id').execute()
  assert.deepEqual(left, [{ id: ids[1] }])
})

test('a valid access token cannot add anything to an inactive account', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await at.db.updateTable('account').set({ is_active: false }).execute()
  const ended = { code: Code.Unauthenticated, error: 'authentication_failed', fields: [] }
  const call = actAs(user('ann'))
  assert.deepEqual(await failureOf(at.client.createApiKey({ name: 'late' }, call)), ended)
  assert.deepEqual(await failureOf(at.site.createMetadataProxy({}, call)), ended)
})
