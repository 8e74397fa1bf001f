import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, type EnvReader, readSettings } from './config.js'

const read = (env: EnvReader) => ({
  bytesMax: env.bytes('BYTES', '64KiB', 'bytes'),
  waitMs: env.duration('WAIT', '5s', 'a wait'),
  count: env.int('COUNT', 3, 'a count'),
  limit: env.positiveInt('LIMIT', 7, 'a limit'),
  open: env.bool('OPEN', true, 'open'),
  at: env.url('AT', '', 'an address'),
  name: env.text('NAME', 'x', 'a name'),
})

test('unset settings have their defaults', () => {
  const expected = {
    bytesMax: 65_536,
    waitMs: 5000,
    count: 3,
    limit: 7,
    open: true,
    at: '',
    name: 'x',
  }
  assert.deepEqual(readSettings({}, read), expected)
  assert.deepEqual(readSettings({ COUNT: '', OPEN: '' }, read), expected)
})

test('reads sizes and durations in their units', () => {
  const env = {
    BYTES: '2GiB',
    WAIT: '90m',
    COUNT: '0',
    LIMIT: '10',
    OPEN: 'false',
    AT: 'http://a:1/b/',
    NAME: 'ß',
  }
  const expected = {
    bytesMax: 2 ** 31,
    waitMs: 5_400_000,
    count: 0,
    limit: 10,
    open: false,
    at: 'http://a:1/b',
    name: 'ß',
  }
  assert.deepEqual(readSettings(env, read), expected)
})

test('reports all invalid settings in one error', () => {
  const bad = { BYTES: '64 kilo', WAIT: '5', COUNT: '-1', OPEN: 'yes', AT: 'ftp://a' }
  assert.throws(
    () => readSettings(bad, (env) => ({ ...read(env), key: env.required('KEY', 'a key') })),
    (error) => {
      assert.ok(error instanceof ConfigError)
      for (const name of [...Object.keys(bad), 'KEY']) assert.match(error.message, new RegExp(name))
      assert.equal(error.message.split('\n').length, 6)
      return true
    },
  )
})

test('never replaces an invalid value by the default', () => {
  const malformed = [
    ['COUNT', '1.5'],
    ['LIMIT', '0'],
    ['LIMIT', '01'],
    ['COUNT', '1e3'],
    ['COUNT', ' 1'],
    ['BYTES', '1kb'],
    ['BYTES', '99999999999TiB'],
    ['WAIT', '1 week'],
    ['WAIT', '-1s'],
    ['OPEN', 'TRUE'],
    ['AT', 'a.example'],
    ['AT', 'http://'],
  ]
  for (const [name = '', value] of malformed) {
    assert.throws(() => readSettings({ [name]: value }, read), ConfigError, `${name}=${value}`)
  }
})

test('settings are frozen', () => {
  const settings = readSettings({}, read)
  assert.throws(() => Object.assign(settings, { count: 4 }), TypeError)
})
