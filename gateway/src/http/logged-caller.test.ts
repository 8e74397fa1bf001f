import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { ApiKeyAccess } from '@figbase/proto/common'
import { loggedCaller } from './logged-caller.js'

test('logs the username, and the id and access of the API key', () => {
  assert.deepEqual(loggedCaller(anonymous), { username: '' })
  assert.deepEqual(loggedCaller(user('ann')), { username: 'ann' })
  for (const [access, apiKeyAccess] of [
    [ApiKeyAccess.READ, 'read'],
    [ApiKeyAccess.PUBLISH, 'publish'],
    [ApiKeyAccess.FULL, 'full'],
    [ApiKeyAccess.UNSPECIFIED, 'full'],
  ] as const) {
    const logged = { username: 'ann', apiKey: 'key', apiKeyAccess }
    assert.deepEqual(loggedCaller(userWithKey('ann', '', access)), logged)
  }
})
