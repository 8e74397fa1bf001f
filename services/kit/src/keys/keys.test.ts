import assert from 'node:assert/strict'
import { hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import { ConfigError, readSettings } from '../config/config.js'
import { keysFrom, readKeys } from './keys.js'

test('derives the same key for a secret and a purpose forever', () => {
  const { key } = keysFrom('secret').derive('storage').current
  assert.deepEqual(key.export(), Buffer.from(hkdfSync('sha256', 'secret', '', 'storage', 32)))
})

test('finds a key by its id, which depends on secret and purpose', () => {
  const keys = keysFrom('now', ['before', 'long ago', 'before', 'now'])
  const [one, other] = [keys.derive('one'), keys.derive('other')]
  assert.deepEqual(one.all.length, 3, 'each secret once')
  assert.equal(one.all[0], one.current)
  assert.deepEqual(one.current.id, keysFrom('now').derive('one').current.id)
  for (const named of one.all) assert.equal(one.find(named.id), named)
  assert.equal(new Set([...one.all, ...other.all].map(({ id }) => id)).size, 6)
  for (const id of ['', 'x', other.current.id, '__proto__']) assert.equal(one.find(id), undefined)
})

test('reads the current and the previous secrets', () => {
  const env = { FIGBASE_SECRET_KEY: 'now', FIGBASE_SECRET_KEYS_PREVIOUS: 'before, long ago' }
  const ids = (keys: ReturnType<typeof keysFrom>) => keys.derive('one').all.map(({ id }) => id)
  assert.deepEqual(ids(readSettings(env, readKeys)), ids(keysFrom('now', ['before', 'long ago'])))
  assert.throws(() => readSettings({}, readKeys), ConfigError)
})
