import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { decodeKey, encodeKey } from './page-token.js'

const workspaceId = '00000000-0000-4000-8000-000000000001'
const key = { period: '2026-11', username: 'ann', workspaceId, model: 'small', route: 'ask' }

test('a token stands for the key of an item; the first page has none', () => {
  assert.deepEqual(decodeKey(encodeKey(key)), key)
  assert.equal(decodeKey(''), undefined)
})

test('a forged token is refused', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = [
    'x',
    '%%%',
    encode(null),
    encode({}),
    encode(['2026-11', 'ann', workspaceId, 'small']),
    encode(['2026-13', 'ann', workspaceId, 'small', 'ask']),
    encode(['2026-11', 'a\0', workspaceId, 'small', 'ask']),
    encode(['2026-11', 'ann', 'x', 'small', 'ask']),
    encode(['2026-11', 'ann', workspaceId, 7, 'ask']),
  ]
  for (const token of forged) {
    assert.throws(() => decodeKey(token), { code: Code.InvalidArgument }, token)
  }
})
