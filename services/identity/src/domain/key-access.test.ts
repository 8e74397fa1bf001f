import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiKeyAccess } from '@figbase/proto/common'
import { checkedAccess, toKeyAccess } from './key-access.js'

const { READ, PUBLISH, FULL, UNSPECIFIED } = ApiKeyAccess

test('converts the requested access; the default is full access', () => {
  assert.deepEqual([READ, PUBLISH, FULL, UNSPECIFIED].map(checkedAccess), [
    'read',
    'publish',
    'full',
    'full',
  ])
  assert.deepEqual((['read', 'publish', 'full'] as const).map(toKeyAccess), [READ, PUBLISH, FULL])
})

test('rejects an unknown access', () => {
  const message = '[invalid_argument] access: must be one of read, publish, full'
  assert.throws(() => checkedAccess(99 as ApiKeyAccess), { message })
})
