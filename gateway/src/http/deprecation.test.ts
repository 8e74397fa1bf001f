import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readSettings } from '@figbase/kit/config'
import { readDeprecations } from './deprecation.js'

const read = (text: string) => readSettings({ DEPRECATED_VERSIONS: text }, readDeprecations)

test('no version is deprecated by default', () => {
  assert.equal(readSettings({}, readDeprecations).size, 0)
})

test('a deprecated version has the dates of its deprecation and its end', () => {
  const found = read('v1=2027-01-01/2028-01-01, v1.1=2027-01-01')
  const link = '</docs/versions>; rel="deprecation"; type="text/html"'
  assert.deepEqual(found.get('v1'), {
    deprecation: '@1798761600',
    sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
    link,
  })
  assert.deepEqual(found.get('v1.1'), { deprecation: '@1798761600', link })
  assert.equal(found.get('v1.2'), undefined)
})

test('a start refuses unknown versions and invalid days', () => {
  for (const text of [
    'v9=2027-01-01',
    'v1',
    'v1=soon',
    'v1=2027-13-01',
    'v1=2027-01-01/',
    'v1=/',
  ]) {
    assert.throws(() => read(text), ConfigError, text)
  }
})
