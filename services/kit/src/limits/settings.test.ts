import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../config/config.js'
import { readLimitSettings } from './settings.js'

const read = (REDIS_URL: string) => readSettings({ REDIS_URL }, readLimitSettings).redisUrl

test('accepts a REDIS_URL with password, TLS and database number', () => {
  for (const url of ['', 'redis://host', 'rediss://user:p%40ss@host:6380/3', 'redis://:p@[::1]/']) {
    assert.equal(read(url), url)
  }
})

test('reports an invalid REDIS_URL without its value', () => {
  for (const url of [
    'host:6379',
    'http://user:secret@host',
    'redis://user:secret@',
    'redis://user:secret%@host',
    'redis://user:secret@host/name',
  ]) {
    const isNamed = ({ message }: Error) => /^REDIS_URL/.test(message) && !/secret/.test(message)
    assert.throws(() => read(url), isNamed, url)
  }
})

test('rejects a limit of zero', () => {
  const env = { REQUESTS_PER_MINUTE_MAX: '0' }
  assert.throws(() => readSettings(env, readLimitSettings), /REQUESTS_PER_MINUTE_MAX/)
})
