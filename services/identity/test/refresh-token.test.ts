import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import {
  actAs,
  keysFrom,
  signRefreshToken,
  user,
  userTokenPurpose,
  verifyAccessToken,
} from '@figbase/kit'
import { sql } from 'kysely'
import { forgetExpired } from '../src/queries/spent-tokens.js'
import { ann, asAnonymous, failureOf, start, transports } from './started.js'

const key = keysFrom('a secret of the tests').derive(userTokenPurpose)
const refused = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }

for (const transport of transports) {
  test(`${transport}: a refresh token gives access tokens, an access token does not`, async () => {
    await using at = await start(transport)
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
}

test('a refresh token ends with its generation, and with its user being active', async () => {
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

test('who became staff is so from the next access token on', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  await at.db.updateTable('account').set({ is_staff: true }).execute()
  const { refresh = '' } = tokens ?? {}
  const { access } = await at.client.refreshToken({ refresh }, asAnonymous())
  assert.equal(verifyAccessToken(access, key).isStaff, true)
})

test('a revoked token ends, and no other of its user', async () => {
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

test('all tokens of a user end together, and those issued afterwards are good', async () => {
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

test('what is revoked is remembered until it would have expired', async () => {
  await using at = await start('local')
  const soon = new Date(Date.now() + 60_000)
  const ids = [randomUUID(), randomUUID()]
  await at.db
    .insertInto('spent_token')
    .values(ids.map((id, n) => ({ id, expires_on: n === 0 ? new Date(0) : soon })))
    .execute()
  await forgetExpired(at.db)
  const left = await at.db.selectFrom('spent_token').select('id').execute()
  assert.deepEqual(left, [{ id: ids[1] }])
})

test('nothing is added to an account that has ended, however long its access token lives', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await at.db.updateTable('account').set({ is_active: false }).execute()
  const ended = { code: Code.Unauthenticated, error: 'authentication_failed', fields: [] }
  const call = actAs(user('ann'))
  assert.deepEqual(await failureOf(at.client.createApiKey({ name: 'late' }, call)), ended)
  assert.deepEqual(await failureOf(at.site.createMetadataProxy({}, call)), ended)
})
