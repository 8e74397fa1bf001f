import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { UserSchema } from '@figbase/proto/identity'
import { ann, as, asAnonymous, failureOf, start } from './support/started.js'

test('only the user sees their private fields', async () => {
  await using at = await start('http2')
  const created = await at.client.createUser(ann, asAnonymous())
  const own = await at.client.getUser({ username: 'ann' }, as('ann'))
  assert.deepEqual(own.user, created.user)
  const { user } = await at.client.getUser({ username: 'ann' }, as('bob'))
  assert.ok(user)
  const shown = Object.keys(toJson(UserSchema, user) as object)
  assert.deepEqual(shown.sort(), ['dateJoined', 'firstName', 'lastName', 'username'])
})

test('rejects anonymous callers', async () => {
  await using at = await start('http2')
  const failure = await failureOf(at.client.getUser({ username: 'ann' }, asAnonymous()))
  const expected = { code: Code.Unauthenticated, error: 'not_authenticated', fields: [] }
  assert.deepEqual(failure, expected)
})

test('unknown usernames are not found', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  for (const username of ['bob', 'ANN', '', 'a\0b', 'x'.repeat(5000)]) {
    const failure = await failureOf(at.client.getUser({ username }, as('ann')))
    assert.deepEqual(failure, { code: Code.NotFound, error: 'not_found', fields: [] })
  }
})

test('returns the profile exactly as stored', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const profile = '{"z": 9007199254740993, "a": {"sample_id": 1.10},  "a": null}'
  await at.db.updateTable('account').set({ profile }).execute()
  const { user } = await at.client.getUser({ username: 'ann' }, as('ann'))
  assert.equal(user?.private?.profileJson, profile)
})
