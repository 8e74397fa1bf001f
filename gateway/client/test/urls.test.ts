import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsKey } from '../src/idempotency.js'
import { baseOf, fillPath, urlOf } from '../src/urls.js'

test('paths are below the version of the API, unless they begin with /api/', () => {
  const base = baseOf('https://example.org/figbase/')
  assert.equal(urlOf(base, '/figure/').href, 'https://example.org/figbase/api/v1.4.1/figure/')
  assert.equal(urlOf(base, '/api/token/').href, 'https://example.org/figbase/api/token/')
  const query = { page_size: 2, silent: true, cursor: null, fields: undefined, q: 'ä&b' }
  assert.equal(urlOf(base, '/x/', query).search, '?page_size=2&silent=true&q=%C3%A4%26b')
})

test('values of a path are encoded', () => {
  assert.equal(fillPath('/user/{username}/', { username: 'a/b?' }), '/user/a%2Fb%3F/')
})

test('routes whose answer is a secret get no key', () => {
  for (const path of [
    '/user/',
    '/api_key/',
    '/upload/',
    '/metadata/',
    '/api/token/',
    '/api/v1/user/',
    '/workspace/w/webhook/',
    '/webhook/h/rotate_secret/',
    '/analysis/a/git_repository/',
    '/api/v1.4.1/workspace/w/git_repository/',
    '/git_repository/g/rotate_secret/',
  ]) {
    assert.equal(acceptsKey(path), false, path)
  }
  for (const path of [
    '/revision/',
    '/workspace/',
    '/api/v1/figure/',
    '/git_repository/g/import/',
  ]) {
    assert.equal(acceptsKey(path), true, path)
  }
})
