import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from './config.js'
import { formerNamesIn } from './former-names.js'

const lifetimeIn = (env: Record<string, string>) =>
  readSettings(env, (reader) => ({ ms: reader.duration('SESSION_LIFETIME', '1d', 'a lifetime') }))
    .ms

test('a renamed setting is read by its former name, and by its present one first', () => {
  assert.equal(lifetimeIn({ SESSION_LIFE: '2s' }), 2000)
  assert.equal(lifetimeIn({ SESSION_LIFE: '2s', SESSION_LIFETIME: '3s' }), 3000)
  assert.equal(lifetimeIn({}), 86_400_000)
  assert.throws(() => lifetimeIn({ SESSION_LIFE: 'long' }), /SESSION_LIFETIME: 'long'/)
})

test('lists the former names that are set', () => {
  const env = { SESSION_LIFE: '2s', SESSION_LIFETIME: '3s', TEXTS_AT_A_TIME: '' }
  assert.deepEqual(formerNamesIn(env), [{ former: 'SESSION_LIFE', name: 'SESSION_LIFETIME' }])
})
